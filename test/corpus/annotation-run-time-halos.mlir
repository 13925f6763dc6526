// Halo sizes that only the launch knows: of an argument, an intermediate and results; to wider, to
// narrower, wider than the neighbours' shards, and beside known ones.
// RUN-CHECK: --grid 1x1,2x2,1x4,4x1,2x3,4x2 --seed 1
// RUN-CHECK: --grid 2x2,8x1 --seed 2
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<14x12xf32>, %n: i64 {tessera.range = [0, 9]},
                %m: index {tessera.range = [0, 3]})
    -> (tensor<14x12xf32>, tensor<14x12xf32>, tensor<14x12xf32>) {
  %none = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %wide = shard.sharding @g split_axes = [[0], [1]] halo_sizes = [2, %n, %n, 1] : !shard.sharding
  %x = shard.shard %x_in to %wide : tensor<14x12xf32>
  %one = arith.constant 1 : index
  %more = arith.addi %m, %one : index
  %narrow_rows = arith.index_cast %more : index to i64
  %narrow = shard.sharding @g split_axes = [[0]] halo_sizes = [%narrow_rows, 0] : !shard.sharding
  %a = shard.shard %x to %narrow annotate_for_users : tensor<14x12xf32>
  %t = math.tanh %a : tensor<14x12xf32>
  %t0 = shard.shard %t to %wide : tensor<14x12xf32>
  %u = arith.addf %t0, %x : tensor<14x12xf32>
  %u0 = shard.shard %u to %none : tensor<14x12xf32>
  return %u0, %t0, %a : tensor<14x12xf32>, tensor<14x12xf32>, tensor<14x12xf32>
}
