// A value that is whole is added to a partial one: it counts once, not once a device.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<12x16xf32>, %b: tensor<16x20xf32>, %r: tensor<12x20xf32>,
                %w: tensor<20x4xf32>) -> tensor<12x4xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : tensor<12x20xf32>
  %empty = tensor.empty() : tensor<12x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x20xf32>) -> tensor<12x20xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  %1 = arith.addf %0, %r : tensor<12x20xf32>
  %2 = arith.subf %one, %1 : tensor<12x20xf32>
  %e2 = tensor.empty() : tensor<12x4xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<12x4xf32>) -> tensor<12x4xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<12x20xf32>, tensor<20x4xf32>)
      outs(%i2 : tensor<12x4xf32>) -> tensor<12x4xf32>
  return %3 : tensor<12x4xf32>
}
