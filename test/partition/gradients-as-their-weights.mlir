// A weight that is split where products need it whole is gathered once, and transposed behind that.
// Its gradient, a result without annotation, comes back as the weight is: one reduce-scatter. A
// result of no argument's type comes back whole.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @gradient
// CHECK-SAME: -> (tensor<8x8xf32> {{.*}}, tensor<2x8xf32> {{.*}}, tensor<8xf32>
// CHECK: shard.all_gather {{.*}} : tensor<2x8xf32> -> tensor<8x8xf32>
// CHECK: linalg.transpose
// CHECK-DAG: shard.reduce_scatter {{.*}} : tensor<8x8xf32> -> tensor<2x8xf32>
// CHECK-DAG: shard.all_reduce {{.*}} : tensor<8xf32>
func.func @gradient(%x_in: tensor<32x8xf32>, %w_in: tensor<8x8xf32>) -> (tensor<32x8xf32>, tensor<8x8xf32>, tensor<8xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<32x8xf32>
  %w = shard.shard %w_in to %rows : tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x8xf32>) -> tensor<32x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<32x8xf32>, tensor<8x8xf32>) outs(%f : tensor<32x8xf32>) -> tensor<32x8xf32>
  %d = math.tanh %y : tensor<32x8xf32>
  %ew = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%ew : tensor<8x8xf32>) permutation = [1, 0]
  %dx = linalg.matmul ins(%d, %t : tensor<32x8xf32>, tensor<8x8xf32>) outs(%f : tensor<32x8xf32>) -> tensor<32x8xf32>
  %ex = tensor.empty() : tensor<8x32xf32>
  %xt = linalg.transpose ins(%x : tensor<32x8xf32>) outs(%ex : tensor<8x32xf32>) permutation = [1, 0]
  %fw = linalg.fill ins(%zero : f32) outs(%ew : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dw = linalg.matmul ins(%xt, %d : tensor<8x32xf32>, tensor<32x8xf32>) outs(%fw : tensor<8x8xf32>) -> tensor<8x8xf32>
  %eb = tensor.empty() : tensor<8xf32>
  %fb = linalg.fill ins(%zero : f32) outs(%eb : tensor<8xf32>) -> tensor<8xf32>
  %db = linalg.reduce { arith.addf } ins(%d : tensor<32x8xf32>) outs(%fb : tensor<8xf32>) dimensions = [0]
  return %dx, %dw, %db : tensor<32x8xf32>, tensor<8x8xf32>, tensor<8xf32>
}
