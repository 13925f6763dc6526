// A batch_matmul with batch and contraction on an axis each, into a result that is split otherwise.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<8x6x10xf32>, %b_in: tensor<8x10x7xf32>) -> tensor<8x6x7xf32> {
  %sa = shard.sharding @g split_axes = [[0], [], [1]] : !shard.sharding
  %sb = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %sc = shard.sharding @g split_axes = [[], [1], [0]] : !shard.sharding
  %a = shard.shard %a_in to %sa : tensor<8x6x10xf32>
  %b = shard.shard %b_in to %sb : tensor<8x10x7xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<8x6x10xf32>, tensor<8x10x7xf32>)
      outs(%init : tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  %r = shard.shard %c to %sc : tensor<8x6x7xf32>
  return %r : tensor<8x6x7xf32>
}
