// One value is returned twice, once more under another annotation, and so is an argument.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x4xf32>)
    -> (tensor<10x4xf32>, tensor<10x4xf32>, tensor<10x4xf32>, tensor<10x4xf32>, tensor<10x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x4xf32>
  %y = math.tanh %x : tensor<10x4xf32>
  %z = shard.shard %y to %rows : tensor<10x4xf32>
  %w = shard.shard %z to %whole annotate_for_users : tensor<10x4xf32>
  return %z, %z, %w, %x, %x
      : tensor<10x4xf32>, tensor<10x4xf32>, tensor<10x4xf32>, tensor<10x4xf32>, tensor<10x4xf32>
}
