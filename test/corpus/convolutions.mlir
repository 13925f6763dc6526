// Convolutions in the forms that networks have: padded with steps, grouped, depthwise with dilations,
// one-dimensional, and with operands that come transposed.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3 --seed 3
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<4x6x17x15xf32>, %w_in: tensor<10x6x3x3xf32>, %v: tensor<2x4x5x3x3xf32>,
                %d: tensor<3x3x8xf32>, %k: tensor<5x8x12xf64>, %t: tensor<4x40x8xf64>)
    -> (tensor<4x9x8x10xf32>, tensor<4x2x4x7x6xf32>, tensor<4x5x4x8xf32>, tensor<4x36x12xf64>) {
  %by_batch = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %by_channels = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %by_batch : tensor<4x6x17x15xf32>
  %w = shard.shard %w_in to %by_channels : tensor<10x6x3x3xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f64
  %xe = tensor.empty() : tensor<4x17x15x6xf32>
  %xt = linalg.transpose ins(%x : tensor<4x6x17x15xf32>) outs(%xe : tensor<4x17x15x6xf32>) permutation = [0, 2, 3, 1]
  %we = tensor.empty() : tensor<3x3x6x10xf32>
  %wt = linalg.transpose ins(%w : tensor<10x6x3x3xf32>) outs(%we : tensor<3x3x6x10xf32>) permutation = [2, 3, 1, 0]
  %p = tensor.pad %xt low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %e: index):
    tensor.yield %zero : f32
  } : tensor<4x17x15x6xf32> to tensor<4x19x17x6xf32>
  %ye = tensor.empty() : tensor<4x9x8x10xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x9x8x10xf32>) -> tensor<4x9x8x10xf32>
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%p, %wt : tensor<4x19x17x6xf32>, tensor<3x3x6x10xf32>)
      outs(%yf : tensor<4x9x8x10xf32>) -> tensor<4x9x8x10xf32>
  %cut = tensor.extract_slice %y[0, 0, 0, 0] [4, 9, 8, 10] [1, 1, 1, 1] : tensor<4x9x8x10xf32> to tensor<4x9x8x10xf32>
  %ce = tensor.empty() : tensor<4x10x9x8xf32>
  %ct = linalg.transpose ins(%cut : tensor<4x9x8x10xf32>) outs(%ce : tensor<4x10x9x8xf32>) permutation = [0, 3, 1, 2]
  %grouped_in = tensor.expand_shape %ct [[0], [1, 2], [3], [4]] output_shape [4, 2, 5, 9, 8] : tensor<4x10x9x8xf32> into tensor<4x2x5x9x8xf32>
  %ge = tensor.empty() : tensor<4x2x4x7x6xf32>
  %gf = linalg.fill ins(%zero : f32) outs(%ge : tensor<4x2x4x7x6xf32>) -> tensor<4x2x4x7x6xf32>
  %grouped = linalg.conv_2d_ngchw_gfchw ins(%grouped_in, %v : tensor<4x2x5x9x8xf32>, tensor<2x4x5x3x3xf32>)
      outs(%gf : tensor<4x2x4x7x6xf32>) -> tensor<4x2x4x7x6xf32>
  %deep_in = tensor.extract_slice %y[0, 0, 0, 1] [4, 9, 8, 8] [1, 1, 1, 1] : tensor<4x9x8x10xf32> to tensor<4x9x8x8xf32>
  %de = tensor.empty() : tensor<4x5x4x8xf32>
  %df = linalg.fill ins(%zero : f32) outs(%de : tensor<4x5x4x8xf32>) -> tensor<4x5x4x8xf32>
  %deep = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<2> : tensor<2xi64>} ins(%deep_in, %d : tensor<4x9x8x8xf32>, tensor<3x3x8xf32>)
      outs(%df : tensor<4x5x4x8xf32>) -> tensor<4x5x4x8xf32>
  %le = tensor.empty() : tensor<4x36x12xf64>
  %lf = linalg.fill ins(%one : f64) outs(%le : tensor<4x36x12xf64>) -> tensor<4x36x12xf64>
  %line = linalg.conv_1d_nwc_wcf ins(%t, %k : tensor<4x40x8xf64>, tensor<5x8x12xf64>) outs(%lf : tensor<4x36x12xf64>) -> tensor<4x36x12xf64>
  return %y, %grouped, %deep, %line : tensor<4x9x8x10xf32>, tensor<4x2x4x7x6xf32>, tensor<4x5x4x8xf32>, tensor<4x36x12xf64>
}
