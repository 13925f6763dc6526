// Ops that are not linear want a partial value reduced: a product of two, a maximum, a tanh.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<12x16xf32>, %b: tensor<16x20xf32>, %c: tensor<16x20xf32>)
    -> (tensor<12x20xf32>, tensor<12x20xf32>, tensor<12x20xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<12x20xf32>
  %empty = tensor.empty() : tensor<12x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x20xf32>) -> tensor<12x20xf32>
  %p = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  %q = linalg.matmul ins(%a, %c : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  %square = arith.mulf %p, %q : tensor<12x20xf32>
  %relu = arith.maximumf %p, %zeros : tensor<12x20xf32>
  %bounded = math.tanh %q : tensor<12x20xf32>
  return %square, %relu, %bounded : tensor<12x20xf32>, tensor<12x20xf32>, tensor<12x20xf32>
}
