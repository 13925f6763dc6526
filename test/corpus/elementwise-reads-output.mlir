// An element-wise op that updates its output operand reads each element of it once.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 5
shard.grid @g(shape = 4)
#all = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<12x16xf32>, %total_in: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %total = shard.shard %total_in to %rows : tensor<12x16xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x16xf32>) outs(%total : tensor<12x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %out : f32
    linalg.yield %s : f32
  } -> tensor<12x16xf32>
  return %y : tensor<12x16xf32>
}
