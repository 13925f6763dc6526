// A product of a matrix with its own transpose: one value with two conflicting uses.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x16xf32>) -> tensor<12x12xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x16xf32>
  %te = tensor.empty() : tensor<16x12xf32>
  %t = linalg.transpose ins(%x : tensor<12x16xf32>) outs(%te : tensor<16x12xf32>)
      permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x12xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x12xf32>) -> tensor<12x12xf32>
  %r = linalg.matmul ins(%x, %t : tensor<12x16xf32>, tensor<16x12xf32>)
      outs(%init : tensor<12x12xf32>) -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}
