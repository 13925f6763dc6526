// A repeated index (a diagonal), a constant index and a window keep their dimensions whole.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
#ii = affine_map<(i) -> (i, i)>
#i = affine_map<(i) -> (i)>
#third = affine_map<(i) -> (2, i)>
#window = affine_map<(i, k) -> (2 * i + k)>
#outer = affine_map<(i, k) -> (i)>
#inner = affine_map<(i, k) -> (k)>
func.func @main(%x_in: tensor<10x10xf32>, %v_in: tensor<10xf32>, %w: tensor<3xf32>)
    -> (tensor<10xf32>, tensor<10xf32>, tensor<4xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x10xf32>
  %v = shard.shard %v_in to %t : tensor<10xf32>
  %e = tensor.empty() : tensor<10xf32>
  %diagonal = linalg.generic {indexing_maps = [#ii, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<10x10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<10xf32>
  %row = linalg.generic {indexing_maps = [#third, #i, #i], iterator_types = ["parallel"]}
      ins(%x, %v : tensor<10x10xf32>, tensor<10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.addf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<10xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %conv = linalg.generic {indexing_maps = [#window, #inner, #outer],
                          iterator_types = ["parallel", "reduction"]}
      ins(%v, %w : tensor<10xf32>, tensor<3xf32>) outs(%zero : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %acc, %p : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  return %diagonal, %row, %conv : tensor<10xf32>, tensor<10xf32>, tensor<4xf32>
}
