// Neither the grid nor the batch is known before the launch.
// RUN-CHECK: --ranks 2,4,6,8 --seed 1 --shape 0=9x16
// RUN-CHECK: --ranks 2,8 --seed 2 --shape 0=2x16
shard.grid @g(shape = ?x2)
func.func @main(%x_in: tensor<?x16xf32>, %w_in: tensor<16x11xf32>) -> (tensor<?x11xf32>, tensor<11xf32>, tensor<11x?xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %both = shard.sharding @g split_axes = [[], [1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x16xf32>
  %w = shard.shard %w_in to %columns : tensor<16x11xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?x11xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x11xf32>) -> tensor<?x11xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x11xf32>) outs(%f : tensor<?x11xf32>) -> tensor<?x11xf32>
  %re = tensor.empty() : tensor<11xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<11xf32>) -> tensor<11xf32>
  %r = linalg.reduce { arith.addf } ins(%y : tensor<?x11xf32>) outs(%rf : tensor<11xf32>) dimensions = [0]
  %te = tensor.empty(%n) : tensor<11x?xf32>
  %t = linalg.transpose ins(%y : tensor<?x11xf32>) outs(%te : tensor<11x?xf32>) permutation = [1, 0]
  %ts = shard.shard %t to %both : tensor<11x?xf32>
  return %y, %r, %ts : tensor<?x11xf32>, tensor<11xf32>, tensor<11x?xf32>
}
