// A dimension of size 1, read at the constant index 0, is broadcast along a split dimension.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#all = affine_map<(i, j) -> (i, j)>
#row_only = affine_map<(i, j) -> (i, 0)>
#column_only = affine_map<(i, j) -> (0, j)>
func.func @main(%x_in: tensor<12x16xf32>, %row: tensor<12x1xf32>, %column_in: tensor<1x16xf32>)
    -> tensor<12x16xf32> {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %second = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<12x16xf32>
  %column = shard.shard %column_in to %second : tensor<1x16xf32>
  %empty = tensor.empty() : tensor<12x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #row_only, #column_only, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %row, %column : tensor<12x16xf32>, tensor<12x1xf32>, tensor<1x16xf32>)
      outs(%empty : tensor<12x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %s = arith.mulf %a, %b : f32
    %t = arith.addf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<12x16xf32>
  return %y : tensor<12x16xf32>
}
