// Annotations of what tosa's ops want to see as constants (zero points, multipliers, what a pad adds), and
// of an argument whose annotated value nothing uses: both say layouts, and neither stops the program.
// RUN-CHECK: --entry main --grid 2,4,3
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<6x8x8x3xi8>, %k: tensor<4x3x3x3xi8>, %b: tensor<4xi32>)
    -> (tensor<6x8x8x4xi8>, tensor<6x8x8x4xi8>, tensor<6x9x8x3xi8>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  // Nothing takes it: what comes after it takes %x_in.
  %unused = shard.shard %x_in to %rows : tensor<6x8x8x3xi8>
  %zero_point = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = shard.shard %zero_point to %rows : tensor<1xi8>
  %zp_again = shard.shard %zp to %whole annotate_for_users : tensor<1xi8>
  %none = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %none32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %factors = "tosa.const"() <{values = dense<[1234567890, 1134567890, 1334567890, 1434567890]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %m = shard.shard %factors to %rows : tensor<4xi32>
  %shifts = "tosa.const"() <{values = dense<[38, 37, 39, 38]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %s = shard.shard %shifts to %whole : tensor<4xi8>
  %sums = tosa.conv2d %x_in, %k, %b, %zp_again, %none {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<6x8x8x3xi8>, tensor<4x3x3x3xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<6x8x8x4xi32>
  %scaled = tosa.rescale %sums, %m, %s, %none32, %zp {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = DOUBLE_ROUND, scale32 = true}
      : (tensor<6x8x8x4xi32>, tensor<4xi32>, tensor<4xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<6x8x8x4xi8>
  %minus = tosa.negate %scaled, %zp, %zp_again : (tensor<6x8x8x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<6x8x8x4xi8>
  %widths = tosa.const_shape {values = dense<[0, 0, 1, 0, 0, 0, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %padded = tosa.pad %x_in, %widths, %zp : (tensor<6x8x8x3xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<6x9x8x3xi8>
  return %scaled, %minus, %padded : tensor<6x8x8x4xi8>, tensor<6x8x8x4xi8>, tensor<6x9x8x3xi8>
}

// The same of an argument that nothing uses at all.
// RUN-CHECK: --entry alone --grid 2,3
func.func @alone(%x: tensor<5x4xf32>, %y_in: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %unused = shard.shard %x to %rows : tensor<5x4xf32>
  %y = shard.shard %y_in to %rows : tensor<2x4x4xf32>
  %r, %i = tosa.fft2d %y_in, %y_in {inverse = false} : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>)
  return %r, %i : tensor<2x4x4xf32>, tensor<2x4x4xf32>
}
