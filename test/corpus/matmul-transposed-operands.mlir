// Matmuls that read their first or second operand transposed, by their indexing maps.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @main(%a_in: tensor<16x12xf32>, %b: tensor<16x20xf32>, %c: tensor<8x20xf32>)
    -> tensor<12x8xf32> {
  %s = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<16x12xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<12x20xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<12x20xf32>) -> tensor<12x20xf32>
  %0 = linalg.matmul indexing_maps = [#km, #kn, #mn]
      ins(%a, %b : tensor<16x12xf32>, tensor<16x20xf32>) outs(%i0 : tensor<12x20xf32>)
      -> tensor<12x20xf32>
  %e1 = tensor.empty() : tensor<12x8xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %1 = linalg.matmul indexing_maps = [#mk, #nk, #mn]
      ins(%0, %c : tensor<12x20xf32>, tensor<8x20xf32>) outs(%i1 : tensor<12x8xf32>)
      -> tensor<12x8xf32>
  return %1 : tensor<12x8xf32>
}
