// On a grid of three axes: from [[0], [1, 2]] to [[2, 1], [0]] to [[1]] to whole.
// RUN-CHECK: --grid 1x2x2,2x1x2,2x2x1,2x2x2,2x1x3,1x3x2 --seed 1
shard.grid @g(shape = 2x2x2)
func.func @main(%x_in: tensor<10x12xf32>)
    -> (tensor<10x12xf32>, tensor<10x12xf32>, tensor<10x12xf32>, tensor<10x12xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1, 2]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[2, 1], [0]] : !shard.sharding
  %u = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x12xf32>
  %0 = shard.shard %x to %t annotate_for_users : tensor<10x12xf32>
  %1 = math.tanh %0 : tensor<10x12xf32>
  %2 = shard.shard %1 to %u : tensor<10x12xf32>
  %3 = shard.shard %2 to %whole annotate_for_users : tensor<10x12xf32>
  return %x, %1, %2, %3 : tensor<10x12xf32>, tensor<10x12xf32>, tensor<10x12xf32>, tensor<10x12xf32>
}
