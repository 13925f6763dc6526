// The body of a split op uses scalars that are computed outside of it.
// RUN-CHECK: --grid 1,2,4,6 --seed 4
shard.grid @g(shape = 4)
#all = affine_map<(i, j) -> (i, j)>
func.func @main(%x_in: tensor<12x16xf32>, %p: f32, %n: i32) -> (tensor<12x16xf32>, f32) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<12x16xf32>
  %q = arith.sitofp %n : i32 to f32
  %r = arith.addf %p, %q : f32
  %empty = tensor.empty() : tensor<12x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x16xf32>) outs(%empty : tensor<12x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %r : f32
    linalg.yield %s : f32
  } -> tensor<12x16xf32>
  return %y, %r : tensor<12x16xf32>, f32
}
