// Layouts are chosen for fewer bytes over the program, not op by op: what one op would pay for is worth
// it if those around it follow.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// A weight that is gathered for one use is transposed for the other behind the gather, which is one.
// CHECK-LABEL: func.func @gathered_once
// CHECK: shard.all_gather {{.*}} : tensor<16x32xf32> -> tensor<64x32xf32>
func.func @gathered_once(%x_in: tensor<256x64xf32>, %y_in: tensor<256x32xf32>, %w_in: tensor<64x32xf32>)
    -> (tensor<256x32xf32>, tensor<256x64xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<256x64xf32>
  %y = shard.shard %y_in to %rows : tensor<256x32xf32>
  %w = shard.shard %w_in to %rows : tensor<64x32xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<256x32xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<256x32xf32>) -> tensor<256x32xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x32xf32>) outs(%z0 : tensor<256x32xf32>) -> tensor<256x32xf32>
  %et = tensor.empty() : tensor<32x64xf32>
  %t = linalg.transpose ins(%w : tensor<64x32xf32>) outs(%et : tensor<32x64xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<256x64xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<256x64xf32>) -> tensor<256x64xf32>
  %1 = linalg.matmul ins(%y, %t : tensor<256x32xf32>, tensor<32x64xf32>) outs(%z1 : tensor<256x64xf32>) -> tensor<256x64xf32>
  return %0, %1 : tensor<256x32xf32>, tensor<256x64xf32>
}

// What a loop would move in each trip is moved once, before it.
// CHECK-LABEL: func.func @gathered_before_the_loop
// CHECK: shard.all_gather {{.*}} : tensor<4x16xf32> -> tensor<16x16xf32>
// CHECK: scf.for
func.func @gathered_before_the_loop(%x_in: tensor<8x16xf32>, %w_in: tensor<16x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x16xf32>
  %w = shard.shard %w_in to %rows : tensor<16x16xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %r = scf.for %i = %c0 to %c20 step %c1 iter_args(%a = %x) -> (tensor<8x16xf32>) {
    %e = tensor.empty() : tensor<8x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
    %p = linalg.matmul ins(%a, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
    %t = math.tanh %p : tensor<8x16xf32>
    scf.yield %t : tensor<8x16xf32>
  }
  %s = shard.shard %r to %rows : tensor<8x16xf32>
  return %s : tensor<8x16xf32>
}
