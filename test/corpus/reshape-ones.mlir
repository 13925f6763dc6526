// Reshapes that only add or drop dimensions of size 1 around split ones.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x18xf32>)
    -> (tensor<1x10x1x18xf32>, tensor<10x18xf32>, tensor<1xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x18xf32>
  %a = tensor.expand_shape %x [[0, 1, 2], [3]] output_shape [1, 10, 1, 18]
      : tensor<10x18xf32> into tensor<1x10x1x18xf32>
  %b = math.tanh %a : tensor<1x10x1x18xf32>
  %c = tensor.collapse_shape %b [[0, 1, 2], [3]]
      : tensor<1x10x1x18xf32> into tensor<10x18xf32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %d = linalg.reduce { arith.addf } ins(%c : tensor<10x18xf32>) outs(%zero : tensor<f32>)
      dimensions = [0, 1]
  %e = tensor.expand_shape %d [] output_shape [1] : tensor<f32> into tensor<1xf32>
  return %a, %c, %e : tensor<1x10x1x18xf32>, tensor<10x18xf32>, tensor<1xf32>
}
