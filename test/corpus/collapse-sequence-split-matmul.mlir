// A linear layer on (batch, sequence) merged while the sequence is split, then unmerged.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<3x8x6xf32>, %w_in: tensor<6x10xf32>) -> tensor<3x8x10xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<3x8x6xf32>
  %w = shard.shard %w_in to %t : tensor<6x10xf32>
  %m = tensor.collapse_shape %x [[0, 1], [2]] : tensor<3x8x6xf32> into tensor<24x6xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x10xf32>) -> tensor<24x10xf32>
  %y = linalg.matmul ins(%m, %w : tensor<24x6xf32>, tensor<6x10xf32>)
      outs(%init : tensor<24x10xf32>) -> tensor<24x10xf32>
  %r = tensor.expand_shape %y [[0, 1], [2]] output_shape [3, 8, 10]
      : tensor<24x10xf32> into tensor<3x8x10xf32>
  return %r : tensor<3x8x10xf32>
}
