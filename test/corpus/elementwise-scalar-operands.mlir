// A scalar argument and a tensor of rank 0 take part in a split element-wise op.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 3
shard.grid @g(shape = 4)
#all = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
func.func @main(%x_in: tensor<12x16xf32>, %scale: f32, %shift: tensor<f32>)
    -> tensor<12x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x16xf32>
  %empty = tensor.empty() : tensor<12x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #none, #none, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %scale, %shift : tensor<12x16xf32>, f32, tensor<f32>)
      outs(%empty : tensor<12x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %s = arith.mulf %a, %b : f32
    %t = arith.addf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<12x16xf32>
  return %y : tensor<12x16xf32>
}
