// Calls of an annotated function: operands go to its layouts, results come in its layouts.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func private @layer(%x_in: tensor<10x8xf32>, %w: tensor<8x8xf32>) -> tensor<10x8xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<10x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x8xf32>) -> tensor<10x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<10x8xf32>, tensor<8x8xf32>) outs(%f : tensor<10x8xf32>)
      -> tensor<10x8xf32>
  %t = math.tanh %y : tensor<10x8xf32>
  return %t : tensor<10x8xf32>
}
func.func @main(%x_in: tensor<10x8xf32>, %w: tensor<8x8xf32>) -> tensor<10x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %0 = func.call @layer(%x, %w) : (tensor<10x8xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
  %1 = func.call @layer(%0, %w) : (tensor<10x8xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
  %2 = arith.addf %1, %x : tensor<10x8xf32>
  return %2 : tensor<10x8xf32>
}
