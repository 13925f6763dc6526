// One dimension is expanded to 4x6 and to 6x4, each with both parts split.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x: tensor<24xf32>, %y_in: tensor<4x6xf32>, %z_in: tensor<6x4xf32>)
    -> (tensor<4x6xf32>, tensor<6x4xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %y = shard.shard %y_in to %s : tensor<4x6xf32>
  %z = shard.shard %z_in to %t : tensor<6x4xf32>
  %a = tensor.expand_shape %x [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
  %b = tensor.expand_shape %x [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
  %c = arith.addf %a, %y : tensor<4x6xf32>
  %d = arith.addf %b, %z : tensor<6x4xf32>
  return %c, %d : tensor<4x6xf32>, tensor<6x4xf32>
}
