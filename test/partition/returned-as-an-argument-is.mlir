// What is returned without an annotation, and is partial where it is made, is completed in the
// layout of an annotated argument of its type: a reduce-scatter for an all-reduce.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @gradient
// CHECK: linalg.matmul
// CHECK: shard.reduce_scatter {{.*}} : tensor<32x32xf32> -> tensor<8x32xf32>
func.func @gradient(%w_in: tensor<32x32xf32>, %x_in: tensor<32x64xf32>, %y_in: tensor<64x32xf32>)
    -> tensor<32x32xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %w = shard.shard %w_in to %rows : tensor<32x32xf32>
  %x = shard.shard %x_in to %columns : tensor<32x64xf32>
  %y = shard.shard %y_in to %rows : tensor<64x32xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %g = linalg.matmul ins(%x, %y : tensor<32x64xf32>, tensor<64x32xf32>)
      outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %g : tensor<32x32xf32>
}
