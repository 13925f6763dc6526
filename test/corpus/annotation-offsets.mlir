// Shards of given offsets: an argument, an intermediate and a result; one shard is empty.
// RUN-CHECK: --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<14x6xf32>, %y_in: tensor<14x6xf32>) -> (tensor<14x6xf32>, tensor<6x14xf32>) {
  %given = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 2, 5, 9, 14] : !shard.sharding
  %empty = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 7, 7, 8, 14] : !shard.sharding
  %balanced = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] sharded_dims_offsets = [0, 1, 1, 12, 14] : !shard.sharding
  %x = shard.shard %x_in to %given : tensor<14x6xf32>
  %y = shard.shard %y_in to %balanced : tensor<14x6xf32>
  %s = arith.addf %x, %y : tensor<14x6xf32>
  %s0 = shard.shard %s to %empty : tensor<14x6xf32>
  %e = tensor.empty() : tensor<6x14xf32>
  %t = linalg.transpose ins(%s0 : tensor<14x6xf32>) outs(%e : tensor<6x14xf32>) permutation = [1, 0]
  %t0 = shard.shard %t to %columns : tensor<6x14xf32>
  %m = arith.mulf %s0, %x : tensor<14x6xf32>
  %m0 = shard.shard %m to %given : tensor<14x6xf32>
  return %m0, %t0 : tensor<14x6xf32>, tensor<6x14xf32>
}
