// An op that adds to its output is used by an op with one loop more: it still adds once.
// RUN-CHECK: --grid 1,2,4 --seed 1
shard.grid @g(shape = 2)
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#j = affine_map<(i, j) -> (j)>
#ij = affine_map<(i, j) -> (i, j)>
func.func @main(%a: tensor<4xf32>, %b: tensor<f32>, %c_in: tensor<6x4xf32>, %d: tensor<4xf32>)
    -> tensor<6x4xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %c = shard.shard %c_in to %s : tensor<6x4xf32>
  %r = linalg.generic {indexing_maps = [#i, #none, #i], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<4xf32>, tensor<f32>) outs(%d : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %out, %p : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  %e = tensor.empty() : tensor<6x4xf32>
  %t = linalg.generic {indexing_maps = [#j, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%r, %c : tensor<4xf32>, tensor<6x4xf32>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    linalg.yield %p : f32
  } -> tensor<6x4xf32>
  return %t : tensor<6x4xf32>
}
