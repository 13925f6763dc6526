// A batch_matmul whose batch dimension is split.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<8x6x10xf32>, %b: tensor<8x10x7xf32>) -> tensor<8x6x7xf32> {
  %batch = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %batch : tensor<8x6x10xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x6x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<8x6x10xf32>, tensor<8x10x7xf32>)
      outs(%init : tensor<8x6x7xf32>) -> tensor<8x6x7xf32>
  return %c : tensor<8x6x7xf32>
}
