// One tensor.empty and one fill serve ops with different shardings and different results.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<12x12xf32>, %b_in: tensor<12x12xf32>)
    -> (tensor<12x12xf32>, tensor<12x12xf32>, tensor<12x12xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %a = shard.shard %a_in to %rows : tensor<12x12xf32>
  %b = shard.shard %b_in to %columns : tensor<12x12xf32>
  %two = arith.constant 2.0 : f32
  %empty = tensor.empty() : tensor<12x12xf32>
  %init = linalg.fill ins(%two : f32) outs(%empty : tensor<12x12xf32>) -> tensor<12x12xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<12x12xf32>, tensor<12x12xf32>)
      outs(%init : tensor<12x12xf32>) -> tensor<12x12xf32>
  %1 = linalg.matmul ins(%b, %a : tensor<12x12xf32>, tensor<12x12xf32>)
      outs(%init : tensor<12x12xf32>) -> tensor<12x12xf32>
  %2 = linalg.add ins(%0, %1 : tensor<12x12xf32>, tensor<12x12xf32>)
      outs(%empty : tensor<12x12xf32>) -> tensor<12x12xf32>
  return %0, %2, %init : tensor<12x12xf32>, tensor<12x12xf32>, tensor<12x12xf32>
}
