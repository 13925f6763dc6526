// Ops of tosa that are more than elementwise, along split dimensions: products, reductions, reshapes,
// transposes, joins, slices, pads, convolutions, pools, argmax, gather.
// RUN-CHECK: --grid 1x1,2x2,4x1,1x3,3x2 --seed 2
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<4x6x8xf32>, %w: tensor<4x8x5xf32>, %i_in: tensor<2x9x7x3xf32>, %k: tensor<4x3x3x3xf32>,
                %b: tensor<4xf32>, %at: tensor<4x3xi32>)
    -> (tensor<4x6x5xf32>, tensor<4x1x8xf32>, tensor<24x8xf32>, tensor<8x4x6xf32>, tensor<4x12x8xf32>,
        tensor<4x4x5xf32>, tensor<4x9x8xf32>, tensor<2x9x7x4xf32>, tensor<2x4x3x3xf32>, tensor<4x8xi32>,
        tensor<4x3x8xf32>, tensor<4x6x8xf32>) {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<4x6x8xf32>
  %i = shard.shard %i_in to %both : tensor<2x9x7x3xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %product = tosa.matmul %x, %w, %zero, %zero : (tensor<4x6x8xf32>, tensor<4x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x6x5xf32>
  %sum = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<4x6x8xf32>) -> tensor<4x1x8xf32>
  %most = tosa.reduce_max %x {axis = 1 : i32} : (tensor<4x6x8xf32>) -> tensor<4x1x8xf32>
  %row = tosa.add %sum, %most : (tensor<4x1x8xf32>, tensor<4x1x8xf32>) -> tensor<4x1x8xf32>
  %shape = tosa.const_shape {values = dense<[24, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %flat = tosa.reshape %x, %shape : (tensor<4x6x8xf32>, !tosa.shape<2>) -> tensor<24x8xf32>
  %turned = tosa.transpose %x {perms = array<i32: 2, 0, 1>} : (tensor<4x6x8xf32>) -> tensor<8x4x6xf32>
  %joined = tosa.concat %x, %x {axis = 1 : i32} : (tensor<4x6x8xf32>, tensor<4x6x8xf32>) -> tensor<4x12x8xf32>
  %start = tosa.const_shape {values = dense<[0, 1, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %size = tosa.const_shape {values = dense<[4, 4, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %part = tosa.slice %x, %start, %size : (tensor<4x6x8xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<4x4x5xf32>
  %widths = tosa.const_shape {values = dense<[0, 0, 1, 2, 0, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %padded = tosa.pad %x, %widths, %zero : (tensor<4x6x8xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<4x9x8xf32>
  %conv = tosa.conv2d %i, %k, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<2x9x7x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x9x7x4xf32>
  %pool = tosa.max_pool2d %i {kernel = array<i64: 3, 3>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<2x9x7x3xf32>) -> tensor<2x4x3x3xf32>
  %best = tosa.argmax %x {axis = 1 : i32} : (tensor<4x6x8xf32>) -> tensor<4x8xi32>
  %six = "tosa.const"() <{values = dense<5> : tensor<4x3xi32>}> : () -> tensor<4x3xi32>
  %none = "tosa.const"() <{values = dense<0> : tensor<4x3xi32>}> : () -> tensor<4x3xi32>
  %low = tosa.maximum %at, %none : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi32>
  %safe = tosa.minimum %low, %six : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi32>
  %taken = tosa.gather %x, %safe : (tensor<4x6x8xf32>, tensor<4x3xi32>) -> tensor<4x3x8xf32>
  %back = tosa.reverse %x {axis = 1 : i32} : (tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
  return %product, %row, %flat, %turned, %joined, %part, %padded, %conv, %pool, %best, %taken, %back
      : tensor<4x6x5xf32>, tensor<4x1x8xf32>, tensor<24x8xf32>, tensor<8x4x6xf32>, tensor<4x12x8xf32>,
        tensor<4x4x5xf32>, tensor<4x9x8xf32>, tensor<2x9x7x4xf32>, tensor<2x4x3x3xf32>, tensor<4x8xi32>,
        tensor<4x3x8xf32>, tensor<4x6x8xf32>
}
