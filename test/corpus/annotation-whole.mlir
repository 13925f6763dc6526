// An annotation that says whole between split values forces a gather and a cut.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x12xf32>, %y_in: tensor<10x12xf32>) -> tensor<10x12xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x12xf32>
  %y = shard.shard %y_in to %s : tensor<10x12xf32>
  %0 = math.tanh %x : tensor<10x12xf32>
  %1 = shard.shard %0 to %whole : tensor<10x12xf32>
  %2 = arith.addf %1, %y : tensor<10x12xf32>
  %3 = shard.shard %2 to %s : tensor<10x12xf32>
  return %3 : tensor<10x12xf32>
}
