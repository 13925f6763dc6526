// Dimensions of size zero on a grid that the launch decides.
// RUN-CHECK: --ranks 1,2,4,6
shard.grid @g(shape = ?)
func.func @main(%x_in: tensor<13x0xf32>) -> (tensor<13x0xf32>, tensor<13x0xf32>) {
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %whole : tensor<13x0xf32>
  %a = arith.addf %x, %x : tensor<13x0xf32>
  %a0 = shard.shard %a to %rows : tensor<13x0xf32>
  %b = arith.mulf %a0, %x : tensor<13x0xf32>
  %b0 = shard.shard %b to %columns : tensor<13x0xf32>
  return %a0, %b0 : tensor<13x0xf32>, tensor<13x0xf32>
}
