// A grid whose first extent comes from the launch: uneven shards of what it turns out to be.
// RUN-CHECK: --ranks 2,4,6,8 --seed 1
shard.grid @g(shape = ?x2)
func.func @main(%x_in: tensor<9x16xf32>, %w_in: tensor<16x11xf32>) -> (tensor<9x11xf32>, tensor<11xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %swapped = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<9x16xf32>
  %w = shard.shard %w_in to %columns : tensor<16x11xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x11xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9x11xf32>) -> tensor<9x11xf32>
  %y = linalg.matmul ins(%x, %w : tensor<9x16xf32>, tensor<16x11xf32>) outs(%f : tensor<9x11xf32>) -> tensor<9x11xf32>
  %t = math.tanh %y : tensor<9x11xf32>
  %re = tensor.empty() : tensor<11xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<11xf32>) -> tensor<11xf32>
  %r = linalg.reduce ins(%t : tensor<9x11xf32>) outs(%rf : tensor<11xf32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  %t0 = shard.shard %t to %swapped : tensor<9x11xf32>
  return %t0, %r : tensor<9x11xf32>, tensor<11xf32>
}
