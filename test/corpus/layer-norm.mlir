// Mean and variance of a split dimension from one op with two sums, then a scale per column.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
func.func @main(%x_in: tensor<10x18xf32>, %scale: tensor<18xf32>) -> tensor<10x18xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x18xf32>
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 18.0 : f32
  %small = arith.constant 1.0e-3 : f32
  %e1 = tensor.empty() : tensor<10xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e1 : tensor<10xf32>) -> tensor<10xf32>
  %sums:2 = linalg.generic {indexing_maps = [#ij, #i, #i],
                            iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<10x18xf32>) outs(%zeros, %zeros : tensor<10xf32>, tensor<10xf32>) {
  ^bb0(%a: f32, %s1: f32, %s2: f32):
    %sq = arith.mulf %a, %a : f32
    %0 = arith.addf %a, %s1 : f32
    %1 = arith.addf %s2, %sq : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<10xf32>, tensor<10xf32>)
  %e2 = tensor.empty() : tensor<10x18xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #i, #j, #ij],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums#0, %sums#1, %scale
          : tensor<10x18xf32>, tensor<10xf32>, tensor<10xf32>, tensor<18xf32>)
      outs(%e2 : tensor<10x18xf32>) {
  ^bb0(%a: f32, %s1: f32, %s2: f32, %w: f32, %out: f32):
    %mean = arith.divf %s1, %n : f32
    %meansq = arith.divf %s2, %n : f32
    %sqmean = arith.mulf %mean, %mean : f32
    %var = arith.subf %meansq, %sqmean : f32
    %safe = arith.addf %var, %small : f32
    %inv = math.rsqrt %safe : f32
    %d = arith.subf %a, %mean : f32
    %u = arith.mulf %d, %inv : f32
    %v = arith.mulf %u, %w : f32
    linalg.yield %v : f32
  } -> tensor<10x18xf32>
  return %r : tensor<10x18xf32>
}
