// A partial product is scaled, transposed, negated and summed up before it is reduced.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<12x16xf32>, %b: tensor<16x20xf32>)
    -> (tensor<20xf32>, tensor<20x12xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %zero = arith.constant 0.0 : f32
  %half = arith.constant dense<0.5> : tensor<12x20xf32>
  %empty = tensor.empty() : tensor<12x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x20xf32>) -> tensor<12x20xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  %scaled = arith.mulf %0, %half : tensor<12x20xf32>
  %negated = arith.negf %scaled : tensor<12x20xf32>
  %te = tensor.empty() : tensor<20x12xf32>
  %t = linalg.transpose ins(%negated : tensor<12x20xf32>) outs(%te : tensor<20x12xf32>)
      permutation = [1, 0]
  %se = tensor.empty() : tensor<20xf32>
  %si = linalg.fill ins(%zero : f32) outs(%se : tensor<20xf32>) -> tensor<20xf32>
  %sum = linalg.reduce { arith.addf } ins(%t : tensor<20x12xf32>) outs(%si : tensor<20xf32>)
      dimensions = [1]
  return %sum, %t : tensor<20xf32>, tensor<20x12xf32>
}
