// Only the result of a matmul is annotated; the operands follow it.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%a: tensor<12x16xf32>, %b: tensor<16x20xf32>) -> tensor<12x20xf32> {
  %both = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x20xf32>) -> tensor<12x20xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  %r = shard.shard %c to %both : tensor<12x20xf32>
  return %r : tensor<12x20xf32>
}
