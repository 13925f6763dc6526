// Several operands, split alike, differently or not at all, are joined along a whole dimension; one
// after another along the split one; and a rotation of pairs as attention has it.
// RUN-CHECK: --grid 1,2,4,6,8,2x2,2x4 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x4xf32>, %y_in: tensor<10x3xf32>, %z: tensor<10x1xf32>,
                %q_in: tensor<3x5x8xf32>)
    -> (tensor<10x13xf32>, tensor<20x4xf32>, tensor<3x5x8xf32>, tensor<10x4xf32>, tensor<10x6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x4xf32>
  %y = shard.shard %y_in to %columns : tensor<10x3xf32>
  %q = shard.shard %q_in to %columns : tensor<3x5x8xf32>
  %ones = arith.constant dense<1.0> : tensor<10x1xf32>
  %table = arith.constant dense<[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0], [9.0], [10.0]]> : tensor<10x1xf32>
  %j = tensor.concat dim(1) %x, %y, %z, %ones, %x
      : (tensor<10x4xf32>, tensor<10x3xf32>, tensor<10x1xf32>, tensor<10x1xf32>, tensor<10x4xf32>) -> tensor<10x13xf32>
  %l = tensor.concat dim(0) %x, %x : (tensor<10x4xf32>, tensor<10x4xf32>) -> tensor<20x4xf32>
  %low = tensor.extract_slice %q[0, 0, 0] [3, 5, 4] [1, 1, 1] : tensor<3x5x8xf32> to tensor<3x5x4xf32>
  %high = tensor.extract_slice %q[0, 0, 4] [3, 5, 4] [1, 1, 1] : tensor<3x5x8xf32> to tensor<3x5x4xf32>
  %minus = arith.negf %high : tensor<3x5x4xf32>
  %turned = tensor.concat dim(2) %minus, %low : (tensor<3x5x4xf32>, tensor<3x5x4xf32>) -> tensor<3x5x8xf32>
  %one = tensor.concat dim(0) %x : (tensor<10x4xf32>) -> tensor<10x4xf32>
  %t = math.tanh %one : tensor<10x4xf32>
  %u = tensor.concat dim(1) %table, %t, %table
      : (tensor<10x1xf32>, tensor<10x4xf32>, tensor<10x1xf32>) -> tensor<10x6xf32>
  return %j, %l, %turned, %t, %u
      : tensor<10x13xf32>, tensor<20x4xf32>, tensor<3x5x8xf32>, tensor<10x4xf32>, tensor<10x6xf32>
}
