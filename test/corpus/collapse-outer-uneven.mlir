// The outer one of two merged dimensions is split unevenly.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x3x4xf32>, %w: tensor<4x5xf32>) -> tensor<30x5xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x3x4xf32>
  %m = tensor.collapse_shape %x [[0, 1], [2]] : tensor<10x3x4xf32> into tensor<30x4xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<30x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<30x5xf32>) -> tensor<30x5xf32>
  %r = linalg.matmul ins(%m, %w : tensor<30x4xf32>, tensor<4x5xf32>)
      outs(%init : tensor<30x5xf32>) -> tensor<30x5xf32>
  return %r : tensor<30x5xf32>
}
