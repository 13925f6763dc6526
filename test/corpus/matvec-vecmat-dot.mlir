// Products of a matrix and a vector, a vector and a matrix, and two vectors.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%m_in: tensor<12x16xf32>, %v: tensor<16xf32>)
    -> (tensor<12xf32>, tensor<16xf32>, tensor<f32>) {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %m = shard.shard %m_in to %both : tensor<12x16xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<12xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<12xf32>) -> tensor<12xf32>
  %u = linalg.matvec ins(%m, %v : tensor<12x16xf32>, tensor<16xf32>) outs(%i0 : tensor<12xf32>)
      -> tensor<12xf32>
  %e1 = tensor.empty() : tensor<16xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %w = linalg.vecmat ins(%u, %m : tensor<12xf32>, tensor<12x16xf32>) outs(%i1 : tensor<16xf32>)
      -> tensor<16xf32>
  %e2 = tensor.empty() : tensor<f32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<f32>) -> tensor<f32>
  %d = linalg.dot ins(%v, %w : tensor<16xf32>, tensor<16xf32>) outs(%i2 : tensor<f32>)
      -> tensor<f32>
  return %u, %w, %d : tensor<12xf32>, tensor<16xf32>, tensor<f32>
}
