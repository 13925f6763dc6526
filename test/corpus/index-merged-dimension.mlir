// Global indices of a merged dimension whose two factors are split over different axes.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
func.func @main(%x_in: tensor<6x5x3xi32>) -> tensor<30x3xi32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x5x3xi32>
  %m = tensor.collapse_shape %x [[0, 1], [2]] : tensor<6x5x3xi32> into tensor<30x3xi32>
  %empty = tensor.empty() : tensor<30x3xi32>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<30x3xi32>) outs(%empty : tensor<30x3xi32>) {
  ^bb0(%a: i32, %out: i32):
    %p = linalg.index 0 : index
    %q = arith.index_cast %p : index to i32
    %v = arith.muli %a, %q : i32
    linalg.yield %v : i32
  } -> tensor<30x3xi32>
  return %r : tensor<30x3xi32>
}
