// 10x7 times 7x10 with both dimensions of both operands uneven over two axes.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<10x7xf64>, %b_in: tensor<10x7xf64>) -> tensor<10x10xf64> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<10x7xf64>
  %b = shard.shard %b_in to %t : tensor<10x7xf64>
  %te = tensor.empty() : tensor<7x10xf64>
  %bt = linalg.transpose ins(%b : tensor<10x7xf64>) outs(%te : tensor<7x10xf64>)
      permutation = [1, 0]
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<10x10xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<10x10xf64>) -> tensor<10x10xf64>
  %r = linalg.matmul ins(%a, %bt : tensor<10x7xf64>, tensor<7x10xf64>)
      outs(%f : tensor<10x10xf64>) -> tensor<10x10xf64>
  return %r : tensor<10x10xf64>
}
