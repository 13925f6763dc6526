// Uneven rows become uneven columns, then rows over both axes, then rows over one.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x7xf32>)
    -> (tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1, 0]] : !shard.sharding
  %both = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %inner = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x7xf32>
  %0 = math.tanh %x : tensor<10x7xf32>
  %1 = shard.shard %0 to %columns : tensor<10x7xf32>
  %2 = arith.addf %1, %1 : tensor<10x7xf32>
  %3 = shard.shard %2 to %both : tensor<10x7xf32>
  %4 = shard.shard %3 to %inner annotate_for_users : tensor<10x7xf32>
  %5 = arith.mulf %4, %4 : tensor<10x7xf32>
  return %2, %3, %5 : tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>
}
