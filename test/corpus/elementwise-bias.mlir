// A bias of one dimension is added to every row while the columns are split.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
#all = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%x_in: tensor<12x16xf32>, %bias: tensor<16xf32>) -> tensor<12x16xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<12x16xf32>
  %empty = tensor.empty() : tensor<12x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #column, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %bias : tensor<12x16xf32>, tensor<16xf32>) outs(%empty : tensor<12x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<12x16xf32>
  return %y : tensor<12x16xf32>
}
