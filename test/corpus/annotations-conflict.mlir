// Two operands of one element-wise op and of one product are annotated against each other.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<12x12xf32>, %y_in: tensor<12x12xf32>)
    -> (tensor<12x12xf32>, tensor<12x12xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12x12xf32>
  %y = shard.shard %y_in to %t : tensor<12x12xf32>
  %0 = arith.addf %x, %y : tensor<12x12xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x12xf32>) -> tensor<12x12xf32>
  %1 = linalg.matmul ins(%x, %y : tensor<12x12xf32>, tensor<12x12xf32>)
      outs(%f : tensor<12x12xf32>) -> tensor<12x12xf32>
  return %0, %1 : tensor<12x12xf32>, tensor<12x12xf32>
}
