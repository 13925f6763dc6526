// Named element-wise linalg ops: add, sub, mul, exp, max, map and elementwise with a broadcast map.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x16xf32>, %y: tensor<12x16xf32>, %v: tensor<16xf32>)
    -> tensor<12x16xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<12x16xf32>
  %empty = tensor.empty() : tensor<12x16xf32>
  %0 = linalg.add ins(%x, %y : tensor<12x16xf32>, tensor<12x16xf32>)
      outs(%empty : tensor<12x16xf32>) -> tensor<12x16xf32>
  %1 = linalg.mul ins(%0, %y : tensor<12x16xf32>, tensor<12x16xf32>)
      outs(%empty : tensor<12x16xf32>) -> tensor<12x16xf32>
  %2 = linalg.sub ins(%1, %x : tensor<12x16xf32>, tensor<12x16xf32>)
      outs(%empty : tensor<12x16xf32>) -> tensor<12x16xf32>
  %3 = linalg.max ins(%2, %y : tensor<12x16xf32>, tensor<12x16xf32>)
      outs(%empty : tensor<12x16xf32>) -> tensor<12x16xf32>
  %4 = linalg.map { math.absf } ins(%3 : tensor<12x16xf32>) outs(%empty : tensor<12x16xf32>)
  %5 = linalg.negf ins(%4 : tensor<12x16xf32>) outs(%empty : tensor<12x16xf32>)
      -> tensor<12x16xf32>
  %6 = linalg.exp ins(%5 : tensor<12x16xf32>) outs(%empty : tensor<12x16xf32>)
      -> tensor<12x16xf32>
  %7 = linalg.elementwise kind=#linalg.elementwise_kind<mul>
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>]
      ins(%6, %v : tensor<12x16xf32>, tensor<16xf32>) outs(%empty : tensor<12x16xf32>)
      -> tensor<12x16xf32>
  return %7 : tensor<12x16xf32>
}
