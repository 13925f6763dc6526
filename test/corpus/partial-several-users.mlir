// Partial values with several users: linear ones, which may make them smaller, and others; whole values
// and constants on either side.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<12x10xf32>, %b: tensor<10x20xf32>, %s: tensor<12x20xf32>, %w: tensor<20x2xf32>)
    -> (tensor<20xf32>, tensor<20xf32>, tensor<12x2xf32>, tensor<12x20xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x10xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<20xf32>
  %ones = arith.constant dense<1.0> : tensor<12x20xf32>
  %e = tensor.empty() : tensor<12x20xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<12x20xf32>) -> tensor<12x20xf32>
  %p = linalg.matmul ins(%a, %b : tensor<12x10xf32>, tensor<10x20xf32>) outs(%z : tensor<12x20xf32>) -> tensor<12x20xf32>
  %0 = linalg.reduce { arith.addf } ins(%p : tensor<12x20xf32>) outs(%zeros : tensor<20xf32>) dimensions = [0]
  %scaled = arith.mulf %p, %s : tensor<12x20xf32>
  %1 = linalg.reduce { arith.addf } ins(%scaled : tensor<12x20xf32>) outs(%zeros : tensor<20xf32>) dimensions = [0]
  %q = linalg.matmul ins(%a, %b : tensor<12x10xf32>, tensor<10x20xf32>) outs(%s : tensor<12x20xf32>) -> tensor<12x20xf32>
  %r = arith.subf %ones, %q : tensor<12x20xf32>
  %e2 = tensor.empty() : tensor<12x2xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<12x2xf32>) -> tensor<12x2xf32>
  %2 = linalg.matmul ins(%r, %w : tensor<12x20xf32>, tensor<20x2xf32>) outs(%z2 : tensor<12x2xf32>) -> tensor<12x2xf32>
  %squared = arith.mulf %scaled, %scaled : tensor<12x20xf32>
  return %0, %1, %2, %squared : tensor<20xf32>, tensor<20xf32>, tensor<12x2xf32>, tensor<12x20xf32>
}
