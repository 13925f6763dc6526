// Batch and heads on different axes are collapsed for a batch_matmul and expanded again.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
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
