// Ops of tosa whose batch only the run knows, beside one of known extents: they stay split along it.
// RUN-CHECK: --grid 1,2,3,4 --shape 0=9x6 --shape 1=5x4x6 --shape 3=5x6x5 --shape 4=3x6x6x3 --seed 2
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<?x6xf32>, %a_in: tensor<?x4x6xf32>, %s_in: tensor<8x6xf32>, %w: tensor<?x6x5xf32>, %img: tensor<?x6x6x3xf32>, %k: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> (tensor<?x1xf32>, tensor<8x1xf32>, tensor<?x4x5xf32>, tensor<?x6xf32>, tensor<6x?xf32>, tensor<?x24xf32>, tensor<?xi32>, tensor<?x4x4x4xf32>, tensor<?x3xf32>) {
  %r = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %r : tensor<?x6xf32>
  %a = shard.shard %a_in to %r : tensor<?x4x6xf32>
  %s = shard.shard %s_in to %r : tensor<8x6xf32>
  %im = shard.shard %img to %r : tensor<?x6x6x3xf32>
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<?x6xf32>) -> tensor<?x1xf32>
  %1 = tosa.reduce_sum %s {axis = 1 : i32} : (tensor<8x6xf32>) -> tensor<8x1xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %2 = tosa.matmul %a, %w, %zero, %zero : (tensor<?x4x6xf32>, tensor<?x6x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4x5xf32>
  %3 = tosa.reverse %x {axis = 1 : i32} : (tensor<?x6xf32>) -> tensor<?x6xf32>
  %4 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<?x6xf32>) -> tensor<6x?xf32>
  %sh = tosa.const_shape {values = dense<[-1, 24]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %5 = tosa.reshape %a, %sh : (tensor<?x4x6xf32>, !tosa.shape<2>) -> tensor<?x24xf32>
  %6 = tosa.argmax %x {axis = 1 : i32} : (tensor<?x6xf32>) -> tensor<?xi32>
  %7 = tosa.conv2d %im, %k, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x6x6x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4x4x4xf32>
  %st = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %sz = tosa.const_shape {values = dense<[-1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %8 = tosa.slice %x, %st, %sz : (tensor<?x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<?x1xf32>, tensor<8x1xf32>, tensor<?x4x5xf32>, tensor<?x6xf32>, tensor<6x?xf32>, tensor<?x24xf32>, tensor<?xi32>, tensor<?x4x4x4xf32>, tensor<?x3xf32>
}
