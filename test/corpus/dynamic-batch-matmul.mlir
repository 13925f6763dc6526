// Batches, rows and columns of run-time extent in one product and its transpose.
// RUN-CHECK: --grid 1x1,2x2,4x1,3x2 --seed 1 --shape 0=5x7x3 --shape 1=5x3x6
// RUN-CHECK: --grid 2x2,2x4 --seed 2 --shape 0=2x1x8 --shape 1=2x8x4
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<?x?x?xf64>, %b_in: tensor<?x?x?xf64>) -> (tensor<?x?x?xf64>, tensor<?x?x?xf64>) {
  %left = shard.sharding @g split_axes = [[0], [], [1]] : !shard.sharding
  %right = shard.sharding @g split_axes = [[], [], [0]] : !shard.sharding
  %a = shard.shard %a_in to %left : tensor<?x?x?xf64>
  %b = shard.shard %b_in to %right : tensor<?x?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x?x?xf64>
  %m = tensor.dim %a, %c1 : tensor<?x?x?xf64>
  %k = tensor.dim %b, %c2 : tensor<?x?x?xf64>
  %e = tensor.empty(%n, %m, %k) : tensor<?x?x?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %y = linalg.batch_matmul ins(%a, %b : tensor<?x?x?xf64>, tensor<?x?x?xf64>) outs(%f : tensor<?x?x?xf64>) -> tensor<?x?x?xf64>
  %te = tensor.empty(%k, %n, %m) : tensor<?x?x?xf64>
  %t = linalg.transpose ins(%y : tensor<?x?x?xf64>) outs(%te : tensor<?x?x?xf64>) permutation = [2, 0, 1]
  return %y, %t : tensor<?x?x?xf64>, tensor<?x?x?xf64>
}
