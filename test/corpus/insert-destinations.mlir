// What an insertion leaves of its destination counts, once, wherever it lies: split along what is cut,
// split otherwise, a partial sum, zeros, a constant.
// RUN-CHECK: --grid 1,2,4,6,2x2,2x3,2x4 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<6x10xf64>, %y_in: tensor<10x8xf64>, %s: tensor<6x3xf64>,
                %t_in: tensor<4x8xf64>, %a_in: tensor<6x16xf64>, %b: tensor<16x10xf64>)
    -> (tensor<6x10xf64>, tensor<10x8xf64>, tensor<6x10xf64>, tensor<6x10xf64>, tensor<6x10xf64>) {
  %columns = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %second = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<6x10xf64>
  %y = shard.shard %y_in to %rows : tensor<10x8xf64>
  %t = shard.shard %t_in to %second : tensor<4x8xf64>
  %a = shard.shard %a_in to %columns : tensor<6x16xf64>
  %0 = tensor.insert_slice %s into %x[0, 4] [6, 3] [1, 2] : tensor<6x3xf64> into tensor<6x10xf64>
  %1 = tensor.insert_slice %t into %y[1, 0] [4, 8] [2, 1] : tensor<4x8xf64> into tensor<10x8xf64>
  %zero = arith.constant dense<0.0> : tensor<6x10xf64>
  %three = arith.constant dense<3.0> : tensor<6x10xf64>
  %p = linalg.matmul ins(%a, %b : tensor<6x16xf64>, tensor<16x10xf64>)
      outs(%zero : tensor<6x10xf64>) -> tensor<6x10xf64>
  %2 = tensor.insert_slice %s into %p[0, 4] [6, 3] [1, 2] : tensor<6x3xf64> into tensor<6x10xf64>
  %3 = tensor.insert_slice %s into %zero[0, 1] [6, 3] [1, 3] : tensor<6x3xf64> into tensor<6x10xf64>
  %4 = tensor.insert_slice %s into %three[0, 1] [6, 3] [1, 3] : tensor<6x3xf64> into tensor<6x10xf64>
  return %0, %1, %2, %3, %4
      : tensor<6x10xf64>, tensor<10x8xf64>, tensor<6x10xf64>, tensor<6x10xf64>, tensor<6x10xf64>
}
