// A running average depends on the order: its loop stays whole, the other one is split.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<12x16xf32>) -> tensor<12xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12x16xf32>
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %empty = tensor.empty() : tensor<12xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12xf32>) -> tensor<12xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<12x16xf32>) outs(%init : tensor<12xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %sum = arith.addf %a, %acc : f32
    %mean = arith.mulf %sum, %half : f32
    linalg.yield %mean : f32
  } -> tensor<12xf32>
  return %r : tensor<12xf32>
}
