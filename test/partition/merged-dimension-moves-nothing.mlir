// Merging a dimension split on axis 0 with one split on axis 1, and back, moves nothing.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: tensor.collapse_shape {{.*}} : tensor<2x3x5x8xf32> into tensor<6x5x8xf32>
// CHECK: linalg.batch_matmul {{.*}} -> tensor<6x5x5xf32>
// CHECK: tensor.expand_shape {{.*}} : tensor<6x5x5xf32> into tensor<2x3x5x5xf32>

shard.grid @g(shape = 2x2)
func.func @main(%q_in: tensor<4x6x5x8xf32>, %k_in: tensor<4x6x8x5xf32>) -> tensor<4x6x5x5xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %q = shard.shard %q_in to %s : tensor<4x6x5x8xf32>
  %k = shard.shard %k_in to %s : tensor<4x6x8x5xf32>
  %qm = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<4x6x5x8xf32> into tensor<24x5x8xf32>
  %km = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<4x6x8x5xf32> into tensor<24x8x5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x5x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x5x5xf32>) -> tensor<24x5x5xf32>
  %m = linalg.batch_matmul ins(%qm, %km : tensor<24x5x8xf32>, tensor<24x8x5xf32>)
      outs(%init : tensor<24x5x5xf32>) -> tensor<24x5x5xf32>
  %r = tensor.expand_shape %m [[0, 1], [2], [3]] output_shape [4, 6, 5, 5]
      : tensor<24x5x5xf32> into tensor<4x6x5x5xf32>
  return %r : tensor<4x6x5x5xf32>
}
