// A partial product is both returned, which reduces it, and used by another product.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<12x16xf32>, %b: tensor<16x20xf32>, %w_in: tensor<20x8xf32>)
    -> (tensor<12x20xf32>, tensor<12x8xf32>) {
  %sa = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %sw = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %a = shard.shard %a_in to %sa : tensor<12x16xf32>
  %w = shard.shard %w_in to %sw : tensor<20x8xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<12x20xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<12x20xf32>) -> tensor<12x20xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%i0 : tensor<12x20xf32>) -> tensor<12x20xf32>
  %e1 = tensor.empty() : tensor<12x8xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<12x20xf32>, tensor<20x8xf32>)
      outs(%i1 : tensor<12x8xf32>) -> tensor<12x8xf32>
  return %0, %1 : tensor<12x20xf32>, tensor<12x8xf32>
}
