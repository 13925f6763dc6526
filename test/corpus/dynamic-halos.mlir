// Halos around shards whose size only the launch knows.
// RUN-CHECK: --grid 1x1,2x2,4x2 --seed 1 --shape 0=9x8
// RUN-CHECK: --grid 2x2,2x3 --seed 2 --shape 0=16x5
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %with = shard.sharding @g split_axes = [[0], [1]] halo_sizes = [1, 1, 2, 0] : !shard.sharding
  %without = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %with : tensor<?x?xf32>
  %y = arith.addf %x, %x : tensor<?x?xf32>
  %z = shard.shard %y to %with : tensor<?x?xf32>
  %w = shard.shard %z to %without annotate_for_users : tensor<?x?xf32>
  return %z, %w : tensor<?x?xf32>, tensor<?x?xf32>
}
