// The sum over a merged dimension whose factors lie on two axes.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<6x10x4xf32>) -> tensor<4xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x10x4xf32>
  %m = tensor.collapse_shape %x [[0, 1], [2]] : tensor<6x10x4xf32> into tensor<60x4xf32>
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %r = linalg.reduce { arith.addf } ins(%m : tensor<60x4xf32>) outs(%two : tensor<4xf32>)
      dimensions = [0]
  return %r : tensor<4xf32>
}
