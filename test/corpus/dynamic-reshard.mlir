// From layout to layout where no extent is known: whether coarse shards are unions of fine ones is
// not known either.
// RUN-CHECK: --grid 1x1,2x2,4x2,2x3 --seed 1 --shape 0=10x7
// RUN-CHECK: --grid 2x2,4x2 --seed 2 --shape 0=8x16
// RUN-CHECK: --grid 2x2,3x2 --seed 3 --shape 0=1x3
// RUN-CHECK: --grid 2x2,1x4 --seed 4 --shape 0=3x0
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %rows = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %outer = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %inner = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %both = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %turned = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x_in to %rows : tensor<?x?xf32>
  %b = shard.shard %a to %outer annotate_for_users : tensor<?x?xf32>
  %c = shard.shard %b to %inner annotate_for_users : tensor<?x?xf32>
  %d = shard.shard %c to %columns annotate_for_users : tensor<?x?xf32>
  %e = shard.shard %d to %both annotate_for_users : tensor<?x?xf32>
  %f = shard.shard %e to %turned annotate_for_users : tensor<?x?xf32>
  %h = shard.shard %f to %whole annotate_for_users : tensor<?x?xf32>
  return %a, %b, %c, %d, %e, %f, %h : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
