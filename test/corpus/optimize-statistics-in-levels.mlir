// Statistics of two arrays, each of which needs the one before: those of one level share a message.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x5xf32>, %y_in: tensor<12x4xf32>) -> (tensor<12x5xf32>, tensor<12x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x5xf32>
  %y = shard.shard %y_in to %rows : tensor<12x4xf32>
  %zero = arith.constant 0.0 : f32
  %e5 = tensor.empty() : tensor<5xf32>
  %e4 = tensor.empty() : tensor<4xf32>
  %e125 = tensor.empty() : tensor<12x5xf32>
  %e124 = tensor.empty() : tensor<12x4xf32>
  %f5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<5xf32>) -> tensor<5xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  %sum5 = linalg.reduce { arith.addf } ins(%x : tensor<12x5xf32>) outs(%f5 : tensor<5xf32>) dimensions = [0]
  %mean5 = linalg.broadcast ins(%sum5 : tensor<5xf32>) outs(%e125 : tensor<12x5xf32>) dimensions = [0]
  %d5 = arith.subf %x, %mean5 : tensor<12x5xf32>
  %q5 = arith.mulf %d5, %d5 : tensor<12x5xf32>
  %var5 = linalg.reduce { arith.addf } ins(%q5 : tensor<12x5xf32>) outs(%f5 : tensor<5xf32>) dimensions = [0]
  %v5 = linalg.broadcast ins(%var5 : tensor<5xf32>) outs(%e125 : tensor<12x5xf32>) dimensions = [0]
  %sum4 = linalg.reduce { arith.addf } ins(%y : tensor<12x4xf32>) outs(%f4 : tensor<4xf32>) dimensions = [0]
  %mean4 = linalg.broadcast ins(%sum4 : tensor<4xf32>) outs(%e124 : tensor<12x4xf32>) dimensions = [0]
  %d4 = arith.subf %y, %mean4 : tensor<12x4xf32>
  %q4 = arith.mulf %d4, %d4 : tensor<12x4xf32>
  %var4 = linalg.reduce { arith.addf } ins(%q4 : tensor<12x4xf32>) outs(%f4 : tensor<4xf32>) dimensions = [0]
  %v4 = linalg.broadcast ins(%var4 : tensor<4xf32>) outs(%e124 : tensor<12x4xf32>) dimensions = [0]
  %r5 = arith.divf %d5, %v5 : tensor<12x5xf32>
  %r4 = arith.divf %d4, %v4 : tensor<12x4xf32>
  return %r5, %r4 : tensor<12x5xf32>, tensor<12x4xf32>
}
