// A pad and a convolution of tosa along rows whose number only the launch knows.
// RUN-CHECK: --shape 0=1x9x6x3 --grid 1,2,3,4
// RUN-CHECK: --shape 0=1x2x6x3 --grid 4 --seed 2
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<1x?x6x3xf32>, %k: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> (tensor<1x?x8x3xf32>, tensor<1x?x6x4xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<1x?x6x3xf32>
  %w = tosa.const_shape {values = dense<[0, 0, 1, 1, 1, 1, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %p = tosa.pad %x, %w, %z : (tensor<1x?x6x3xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x?x8x3xf32>
  %r = tosa.conv2d %x, %k, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x?x6x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x6x4xf32>
  return %p, %r : tensor<1x?x8x3xf32>, tensor<1x?x6x4xf32>
}
