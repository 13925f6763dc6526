// Shards with halos: to wider, to narrower, on two dimensions, and back to none.
// RUN-CHECK: --grid 1x1,2x2,1x4,4x1,2x3 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<14x12xf32>) -> (tensor<14x12xf32>, tensor<14x12xf32>, tensor<14x12xf32>) {
  %none = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %narrow = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 0] : !shard.sharding
  %wide = shard.sharding @g split_axes = [[0], [1]] halo_sizes = [2, 1, 1, 2] : !shard.sharding
  %x = shard.shard %x_in to %wide : tensor<14x12xf32>
  %a = shard.shard %x to %narrow annotate_for_users : tensor<14x12xf32>
  %t = math.tanh %a : tensor<14x12xf32>
  %t0 = shard.shard %t to %wide : tensor<14x12xf32>
  %u = arith.addf %t0, %x : tensor<14x12xf32>
  %u0 = shard.shard %u to %none : tensor<14x12xf32>
  return %u0, %t0, %a : tensor<14x12xf32>, tensor<14x12xf32>, tensor<14x12xf32>
}
