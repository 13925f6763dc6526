// Split columns of a product: local shapes, no collective.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%{{.*}}: tensor<12x16xf32> {{.*}}, %{{.*}}: tensor<16x5xf32> {{.*}}) -> (tensor<12x5xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<12x16xf32>, tensor<16x5xf32>) outs({{.*}} : tensor<12x5xf32>)

shard.grid @g(shape = 4)
func.func @main(%a: tensor<12x16xf32>, %b_in: tensor<16x20xf32>) -> tensor<12x20xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %b = shard.shard %b_in to %columns : tensor<16x20xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x20xf32>) -> tensor<12x20xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  return %c : tensor<12x20xf32>
}
