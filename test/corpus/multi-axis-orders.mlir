// A dimension over two axes in one order goes to the other order, then to the other dimension.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<24x10xi32>)
    -> (tensor<24x10xi32>, tensor<24x10xi32>, tensor<24x10xi32>) {
  %s01 = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %s10 = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %c01 = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %s01 : tensor<24x10xi32>
  %0 = arith.addi %x, %x : tensor<24x10xi32>
  %1 = shard.shard %0 to %s10 : tensor<24x10xi32>
  %2 = shard.shard %1 to %c01 annotate_for_users : tensor<24x10xi32>
  %3 = arith.muli %2, %2 : tensor<24x10xi32>
  return %0, %1, %3 : tensor<24x10xi32>, tensor<24x10xi32>, tensor<24x10xi32>
}
