// A pad of what has no elements, by a width that is an operand and a constant: the type of the result does not say its
// extent, which each device knows.
// RUN-CHECK: --grid 1,2,3,4
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<0xi64>, %y_in: tensor<5xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<0xi64>
  %y = shard.shard %y_in to %rows : tensor<5xi64>
  %one = arith.constant 1 : index
  %n = arith.constant -3 : i64
  %p = tensor.pad %x low[%one] high[1] {
  ^bb0(%i: index):
    tensor.yield %n : i64
  } : tensor<0xi64> to tensor<?xi64>
  %q = tensor.pad %y low[%one] high[%one] {
  ^bb0(%i: index):
    tensor.yield %n : i64
  } : tensor<5xi64> to tensor<?xi64>
  %ps = shard.shard %p to %rows : tensor<?xi64>
  %qs = shard.shard %q to %rows : tensor<?xi64>
  return %ps, %qs : tensor<?xi64>, tensor<?xi64>
}
