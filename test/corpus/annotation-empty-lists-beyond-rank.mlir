// Empty lists beyond the rank of a tensor mean nothing; missing trailing dimensions are whole.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10xf32>, %y_in: tensor<10x4x3xf32>, %z_in: tensor<f32>)
    -> (tensor<10xf32>, tensor<10x4x3xf32>, tensor<f32>) {
  %s = shard.sharding @g split_axes = [[0], [], []] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %u = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10xf32>
  %y = shard.shard %y_in to %t : tensor<10x4x3xf32>
  %z = shard.shard %z_in to %u : tensor<f32>
  %0 = arith.addf %x, %x : tensor<10xf32>
  %1 = math.tanh %y : tensor<10x4x3xf32>
  %2 = arith.mulf %z, %z : tensor<f32>
  return %0, %1, %2 : tensor<10xf32>, tensor<10x4x3xf32>, tensor<f32>
}
