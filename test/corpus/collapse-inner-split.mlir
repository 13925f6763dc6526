// Only the inner one of two merged dimensions is split, so that each device has strided blocks.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<6x10xf32>, %y: tensor<60xf32>) -> tensor<60xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x10xf32>
  %m = tensor.collapse_shape %x [[0, 1]] : tensor<6x10xf32> into tensor<60xf32>
  %r = arith.mulf %m, %y : tensor<60xf32>
  return %r : tensor<60xf32>
}
