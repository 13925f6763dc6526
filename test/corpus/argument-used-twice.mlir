// One argument is both operands of a product and an operand of a sum.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x10xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x10xf32>) -> tensor<10x10xf32>
  %square = linalg.matmul ins(%x, %x : tensor<10x10xf32>, tensor<10x10xf32>)
      outs(%f : tensor<10x10xf32>) -> tensor<10x10xf32>
  %r = arith.addf %square, %x : tensor<10x10xf32>
  return %r : tensor<10x10xf32>
}
