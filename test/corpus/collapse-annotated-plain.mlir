// A merged dimension that is annotated afterwards gets the plain, contiguous form.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<6x10xf32>) -> tensor<60xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x10xf32>
  %m = tensor.collapse_shape %x [[0, 1]] : tensor<6x10xf32> into tensor<60xf32>
  %r = shard.shard %m to %t : tensor<60xf32>
  return %r : tensor<60xf32>
}
