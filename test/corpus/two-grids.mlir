// Two grids over the same devices, each used by its own function.
// RUN-CHECK: --seed 1
shard.grid @line(shape = 4)
shard.grid @square(shape = 2x2)
func.func private @on_square(%x_in: tensor<10x12xf32>) -> tensor<10x12xf32> {
  %s = shard.sharding @square split_axes = [[0], [1]] : !shard.sharding
  %whole = shard.sharding @square split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %whole : tensor<10x12xf32>
  %t = math.tanh %x : tensor<10x12xf32>
  %y = shard.shard %t to %s : tensor<10x12xf32>
  %z = shard.shard %y to %whole annotate_for_users : tensor<10x12xf32>
  return %z : tensor<10x12xf32>
}
func.func @main(%x_in: tensor<10x12xf32>) -> tensor<10x12xf32> {
  %s = shard.sharding @line split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x12xf32>
  %y = arith.addf %x, %x : tensor<10x12xf32>
  %z = func.call @on_square(%y) : (tensor<10x12xf32>) -> tensor<10x12xf32>
  %w = arith.mulf %z, %x : tensor<10x12xf32>
  return %w : tensor<10x12xf32>
}
