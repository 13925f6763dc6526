// One constant is used under two shardings and returned as it is.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<4x3xi32>, %y_in: tensor<4x3xi32>)
    -> (tensor<4x3xi32>, tensor<4x3xi32>, tensor<4x3xi32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<4x3xi32>
  %y = shard.shard %y_in to %columns : tensor<4x3xi32>
  %c = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]> : tensor<4x3xi32>
  %0 = arith.addi %x, %c : tensor<4x3xi32>
  %1 = arith.muli %y, %c : tensor<4x3xi32>
  return %0, %1, %c : tensor<4x3xi32>, tensor<4x3xi32>, tensor<4x3xi32>
}
