// Two grids over the same devices, each used by a function of its own.
// RUN-CHECK: --entry line --seed 1
// RUN-CHECK: --entry square --seed 1
shard.grid @by_four(shape = 4)
shard.grid @by_two(shape = 2x2)
func.func @square(%x_in: tensor<10x12xf32>) -> tensor<10x12xf32> {
  %s = shard.sharding @by_two split_axes = [[0], [1]] : !shard.sharding
  %whole = shard.sharding @by_two split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %whole : tensor<10x12xf32>
  %t = math.tanh %x : tensor<10x12xf32>
  %y = shard.shard %t to %s : tensor<10x12xf32>
  %z = shard.shard %y to %whole annotate_for_users : tensor<10x12xf32>
  return %z : tensor<10x12xf32>
}
func.func @line(%x_in: tensor<10x12xf32>) -> tensor<10x12xf32> {
  %s = shard.sharding @by_four split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x12xf32>
  %y = arith.addf %x, %x : tensor<10x12xf32>
  return %y : tensor<10x12xf32>
}
