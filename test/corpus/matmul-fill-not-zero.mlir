// A matmul that starts from ones while its summed dimension is split over two axes.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<12x16xf32>, %b_in: tensor<16x20xf32>) -> tensor<12x20xf32> {
  %columns = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %b = shard.shard %b_in to %rows : tensor<16x20xf32>
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<12x20xf32>
  %init = linalg.fill ins(%one : f32) outs(%empty : tensor<12x20xf32>) -> tensor<12x20xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  return %c : tensor<12x20xf32>
}
