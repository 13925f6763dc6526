// One generic op with two results, the second of them transposed.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#all = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>
func.func @main(%x_in: tensor<12x16xf32>, %y: tensor<16x12xf32>)
    -> (tensor<12x16xf32>, tensor<16x12xf32>) {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<12x16xf32>
  %a_empty = tensor.empty() : tensor<12x16xf32>
  %b_empty = tensor.empty() : tensor<16x12xf32>
  %r:2 = linalg.generic {indexing_maps = [#all, #swapped, #all, #swapped],
                         iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<12x16xf32>, tensor<16x12xf32>)
      outs(%a_empty, %b_empty : tensor<12x16xf32>, tensor<16x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o0: f32, %o1: f32):
    %s = arith.addf %a, %b : f32
    %d = arith.subf %a, %b : f32
    linalg.yield %s, %d : f32, f32
  } -> (tensor<12x16xf32>, tensor<16x12xf32>)
  return %r#0, %r#1 : tensor<12x16xf32>, tensor<16x12xf32>
}
