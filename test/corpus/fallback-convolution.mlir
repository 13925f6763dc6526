// A convolution and a pooling keep their windowed dimensions whole; batch and channels may split.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<4x8x8x3xf32>, %w_in: tensor<3x3x3x6xf32>)
    -> (tensor<4x6x6x6xf32>, tensor<4x3x3x6xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [], [], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x8x8x3xf32>
  %w = shard.shard %w_in to %t : tensor<3x3x3x6xf32>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %e = tensor.empty() : tensor<4x6x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6x6x6xf32>) -> tensor<4x6x6x6xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<4x8x8x3xf32>, tensor<3x3x3x6xf32>)
      outs(%f : tensor<4x6x6x6xf32>) -> tensor<4x6x6x6xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %pe = tensor.empty() : tensor<4x3x3x6xf32>
  %pf = linalg.fill ins(%low : f32) outs(%pe : tensor<4x3x3x6xf32>) -> tensor<4x3x3x6xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>}
      ins(%c, %window : tensor<4x6x6x6xf32>, tensor<2x2xf32>) outs(%pf : tensor<4x3x3x6xf32>)
      -> tensor<4x3x3x6xf32>
  return %c, %p : tensor<4x6x6x6xf32>, tensor<4x3x3x6xf32>
}
