// Products of split contractions are reshaped, added to each other and to a split field, and the sum is
// split: it is completed once, and what is split counts in its place.
// RUN-CHECK: --grid 4,2,3
shard.grid @g(shape = 4)
#id = affine_map<(i, j, k) -> (i, j, k)>
func.func @main(%a_in: tensor<12x64xf32>, %b_in: tensor<64x20xf32>, %c_in: tensor<12x64xf32>, %d_in: tensor<64x20xf32>,
    %x_in: tensor<3x4x20xf32>) -> tensor<3x4x20xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x64xf32>
  %b = shard.shard %b_in to %rows : tensor<64x20xf32>
  %c = shard.shard %c_in to %columns : tensor<12x64xf32>
  %d = shard.shard %d_in to %rows : tensor<64x20xf32>
  %x = shard.shard %x_in to %columns : tensor<3x4x20xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x20xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x20xf32>) -> tensor<12x20xf32>
  %p = linalg.matmul ins(%a, %b : tensor<12x64xf32>, tensor<64x20xf32>) outs(%none : tensor<12x20xf32>) -> tensor<12x20xf32>
  %q = linalg.matmul ins(%c, %d : tensor<12x64xf32>, tensor<64x20xf32>) outs(%none : tensor<12x20xf32>) -> tensor<12x20xf32>
  %pp = tensor.expand_shape %p [[0, 1], [2]] output_shape [3, 4, 20] : tensor<12x20xf32> into tensor<3x4x20xf32>
  %qq = tensor.expand_shape %q [[0, 1], [2]] output_shape [3, 4, 20] : tensor<12x20xf32> into tensor<3x4x20xf32>
  %e = tensor.empty() : tensor<3x4x20xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %pp : tensor<3x4x20xf32>, tensor<3x4x20xf32>) outs(%e : tensor<3x4x20xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<3x4x20xf32>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %qq : tensor<3x4x20xf32>, tensor<3x4x20xf32>) outs(%e : tensor<3x4x20xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.subf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<3x4x20xf32>
  %r = shard.shard %z to %columns : tensor<3x4x20xf32>
  return %r : tensor<3x4x20xf32>
}
