// A causal mask compares two global indices of split loops.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
func.func @main(%x_in: tensor<14x14xf32>) -> tensor<14x14xf32> {
  %s = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<14x14xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<14x14xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<14x14xf32>) outs(%empty : tensor<14x14xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %past = arith.cmpi ule, %j, %i : index
    %v = arith.select %past, %a, %zero : f32
    linalg.yield %v : f32
  } -> tensor<14x14xf32>
  return %r : tensor<14x14xf32>
}
