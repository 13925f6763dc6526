// Global indices of a dimension that is split over two axes, the inner one listed first.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#i = affine_map<(i) -> (i)>
func.func @main(%x_in: tensor<26xi64>) -> tensor<26xi64> {
  %s = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<26xi64>
  %empty = tensor.empty() : tensor<26xi64>
  %r = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<26xi64>) outs(%empty : tensor<26xi64>) {
  ^bb0(%a: i64, %out: i64):
    %p = linalg.index 0 : index
    %q = arith.index_cast %p : index to i64
    %v = arith.muli %a, %q : i64
    linalg.yield %v : i64
  } -> tensor<26xi64>
  return %r : tensor<26xi64>
}
