// Softmax along a split dimension: a maximum, a sum of exponentials, a quotient.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12x16xf32>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e1 = tensor.empty() : tensor<12xf32>
  %lows = linalg.fill ins(%low : f32) outs(%e1 : tensor<12xf32>) -> tensor<12xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e1 : tensor<12xf32>) -> tensor<12xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<12x16xf32>) outs(%lows : tensor<12xf32>)
      dimensions = [1]
  %e2 = tensor.empty() : tensor<12x16xf32>
  %exp = linalg.generic {indexing_maps = [#ij, #i, #ij],
                         iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<12x16xf32>, tensor<12xf32>) outs(%e2 : tensor<12x16xf32>) {
  ^bb0(%a: f32, %m: f32, %out: f32):
    %d = arith.subf %a, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<12x16xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<12x16xf32>) outs(%zeros : tensor<12xf32>)
      dimensions = [1]
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<12x16xf32>, tensor<12xf32>) outs(%e2 : tensor<12x16xf32>) {
  ^bb0(%a: f32, %t: f32, %out: f32):
    %q = arith.divf %a, %t : f32
    linalg.yield %q : f32
  } -> tensor<12x16xf32>
  return %r : tensor<12x16xf32>
}
