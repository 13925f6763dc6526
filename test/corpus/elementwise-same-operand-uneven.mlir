// x - x, x xor x and select of equal values fold to constants, whose type must not be dynamic.
// RUN-CHECK: --grid 1,2,3,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x4xi64>, %y_in: tensor<10xi1>)
    -> (tensor<10x4xi64>, tensor<10x4xi64>, tensor<10xi1>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x4xi64>
  %y = shard.shard %y_in to %rows : tensor<10xi1>
  %0 = arith.xori %x, %x : tensor<10x4xi64>
  %1 = arith.subi %x, %x : tensor<10x4xi64>
  %2 = arith.cmpi eq, %x, %x : tensor<10x4xi64>
  %3 = arith.extui %2 : tensor<10x4xi1> to tensor<10x4xi64>
  %4 = arith.addi %1, %3 : tensor<10x4xi64>
  %5 = arith.xori %y, %y : tensor<10xi1>
  return %0, %4, %5 : tensor<10x4xi64>, tensor<10x4xi64>, tensor<10xi1>
}
