// A contraction of two 4-D tensors, batch on one axis and heads on the other, moves nothing.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
func.func @main(%q_in: tensor<4x4x5x8xf32>, %k: tensor<4x4x6x8xf32>) -> tensor<4x4x5x6xf32> {
  %heads = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %q = shard.shard %q_in to %heads : tensor<4x4x5x8xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4x5x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4x5x6xf32>) -> tensor<4x4x5x6xf32>
  %r = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<4x4x5x8xf32>, tensor<4x4x6x8xf32>) outs(%init : tensor<4x4x5x6xf32>)
      -> tensor<4x4x5x6xf32>
  return %r : tensor<4x4x5x6xf32>
}
