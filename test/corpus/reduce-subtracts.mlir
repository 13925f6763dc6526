// A reduction that subtracts each element from its accumulator.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<12x16xf32>, %init: tensor<12xf32>) -> tensor<12xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12x16xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<12x16xf32>) outs(%init : tensor<12xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %rest = arith.subf %acc, %a : f32
    linalg.yield %rest : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
