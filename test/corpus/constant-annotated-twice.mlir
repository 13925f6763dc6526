// Two different annotations on one constant and on one tensor.empty are no conflict.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
                             [3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [4.0, 5.0, 6.0, 7.0, 8.0, 9.0]]>
      : tensor<4x6xf32>
  %c_rows = shard.shard %c to %rows : tensor<4x6xf32>
  %c_columns = shard.shard %c to %columns : tensor<4x6xf32>
  %empty = tensor.empty() : tensor<4x6xf32>
  %e_rows = shard.shard %empty to %rows : tensor<4x6xf32>
  %e_columns = shard.shard %empty to %columns : tensor<4x6xf32>
  %0 = linalg.add ins(%x, %c_rows : tensor<4x6xf32>, tensor<4x6xf32>)
      outs(%e_rows : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.mul ins(%x, %c_columns : tensor<4x6xf32>, tensor<4x6xf32>)
      outs(%e_columns : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<4x6xf32>
}
