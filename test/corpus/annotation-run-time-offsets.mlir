// Shard offsets that only the launch knows: of arguments, an intermediate and results, with empty
// shards and beside known ones; one follows from the shape of an argument.
// RUN-CHECK: --seed 1 --shape 2=1
// RUN-CHECK: --seed 2 --shape 2=2
// RUN-CHECK: --seed 3 --shape 2=3
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<14x6xf32>, %y_in: tensor<14x6xf32>, %z: tensor<?xf32>,
                %n: i64 {tessera.range = [0, 8]}, %m: i64 {tessera.range = [8, 15]})
    -> (tensor<14x6xf32>, tensor<6x14xf32>) {
  %zero = arith.constant 0 : index
  %len = tensor.dim %z, %zero : tensor<?xf32>
  %six = arith.constant 6 : index
  %part = arith.minui %len, %six : index
  %third = arith.index_cast %part : index to i64
  %given = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %n, %n, %m, 14] : !shard.sharding
  %known = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 7, 7, 8, 14] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] sharded_dims_offsets = [0, 0, %third, %m, 14] : !shard.sharding
  %x = shard.shard %x_in to %given : tensor<14x6xf32>
  %y = shard.shard %y_in to %known : tensor<14x6xf32>
  %s = arith.addf %x, %y : tensor<14x6xf32>
  %s0 = shard.shard %s to %known : tensor<14x6xf32>
  %e = tensor.empty() : tensor<6x14xf32>
  %t = linalg.transpose ins(%s0 : tensor<14x6xf32>) outs(%e : tensor<6x14xf32>) permutation = [1, 0]
  %t0 = shard.shard %t to %columns : tensor<6x14xf32>
  %m0 = arith.mulf %s0, %x : tensor<14x6xf32>
  %m1 = shard.shard %m0 to %given : tensor<14x6xf32>
  return %m1, %t0 : tensor<14x6xf32>, tensor<6x14xf32>
}
