// Convolutions and pools whose windows slide along split dimensions: in one to three dimensions,
// with strides and dilations, depthwise, transposed, and as the gradients that training asks for.
// RUN-CHECK: --grid 1x1,4x1,1x3,2x2,3x2,5x1,1x8 --seed 6
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<2x13x10x3xf32>, %k: tensor<3x3x3x4xf32>, %d: tensor<3x2x3xf32>,
                %v_in: tensor<17xf64>, %w: tensor<5xf64>, %u_in: tensor<7x6x5xf32>, %h: tensor<2x3x2xf32>,
                %t: tensor<3x3x4x2xf32>)
    -> (tensor<2x13x10x4xf32>, tensor<2x6x4x4xf32>, tensor<2x9x9x3xf32>, tensor<13xf64>, tensor<6x4x4xf32>,
        tensor<2x6x5x3xf32>, tensor<3x3x3x4xf32>, tensor<2x13x10x3xf32>, tensor<2x13x9x2xf32>) {
  %rows = shard.sharding @g split_axes = [[], [0], [1]] : !shard.sharding
  %all = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<2x13x10x3xf32>
  %v = shard.shard %v_in to %all : tensor<17xf64>
  %planes = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %u = shard.shard %u_in to %planes : tensor<7x6x5xf32>
  %zero = arith.constant 0.0 : f32
  %zerod = arith.constant 0.0 : f64
  %low = arith.constant 0xFF800000 : f32

  // Padded to the same extents.
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %e: index):
    tensor.yield %zero : f32
  } : tensor<2x13x10x3xf32> to tensor<2x15x12x3xf32>
  %ye = tensor.empty() : tensor<2x13x10x4xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<2x13x10x4xf32>) -> tensor<2x13x10x4xf32>
  %y0 = linalg.conv_2d_nhwc_hwcf ins(%p, %k : tensor<2x15x12x3xf32>, tensor<3x3x3x4xf32>)
      outs(%yf : tensor<2x13x10x4xf32>) -> tensor<2x13x10x4xf32>
  %y = math.tanh %y0 : tensor<2x13x10x4xf32>

  // Strides 2 of what is not padded.
  %se = tensor.empty() : tensor<2x6x4x4xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x6x4x4xf32>) -> tensor<2x6x4x4xf32>
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%x, %k : tensor<2x13x10x3xf32>, tensor<3x3x3x4xf32>) outs(%sf : tensor<2x6x4x4xf32>) -> tensor<2x6x4x4xf32>

  // Depthwise, with dilations.
  %de = tensor.empty() : tensor<2x9x9x3xf32>
  %df = linalg.fill ins(%zero : f32) outs(%de : tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xf32>
  %dw = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[2, 1]> : tensor<2xi64>}
      ins(%x, %d : tensor<2x13x10x3xf32>, tensor<3x2x3xf32>) outs(%df : tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xf32>

  // One dimension over all devices, and three.
  %ve = tensor.empty() : tensor<13xf64>
  %vf = linalg.fill ins(%zerod : f64) outs(%ve : tensor<13xf64>) -> tensor<13xf64>
  %line = linalg.conv_1d ins(%v, %w : tensor<17xf64>, tensor<5xf64>) outs(%vf : tensor<13xf64>) -> tensor<13xf64>
  %ue = tensor.empty() : tensor<6x4x4xf32>
  %uf = linalg.fill ins(%zero : f32) outs(%ue : tensor<6x4x4xf32>) -> tensor<6x4x4xf32>
  %cube = linalg.conv_3d ins(%u, %h : tensor<7x6x5xf32>, tensor<2x3x2xf32>) outs(%uf : tensor<6x4x4xf32>) -> tensor<6x4x4xf32>

  // A pool.
  %window = tensor.empty() : tensor<2x2xf32>
  %me = tensor.empty() : tensor<2x6x5x3xf32>
  %mf = linalg.fill ins(%low : f32) outs(%me : tensor<2x6x5x3xf32>) -> tensor<2x6x5x3xf32>
  %m = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<2x13x10x3xf32>, tensor<2x2xf32>) outs(%mf : tensor<2x6x5x3xf32>) -> tensor<2x6x5x3xf32>

  // The gradient of the kernel: its image is the other operand's, which is split.
  %xe = tensor.empty() : tensor<3x13x10x2xf32>
  %xt = linalg.transpose ins(%x : tensor<2x13x10x3xf32>) outs(%xe : tensor<3x13x10x2xf32>) permutation = [3, 1, 2, 0]
  %xp = tensor.pad %xt low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %e: index):
    tensor.yield %zero : f32
  } : tensor<3x13x10x2xf32> to tensor<3x15x12x2xf32>
  %ge = tensor.empty() : tensor<13x10x2x4xf32>
  %gt = linalg.transpose ins(%y : tensor<2x13x10x4xf32>) outs(%ge : tensor<13x10x2x4xf32>) permutation = [1, 2, 0, 3]
  %we = tensor.empty() : tensor<3x3x3x4xf32>
  %wf = linalg.fill ins(%zero : f32) outs(%we : tensor<3x3x3x4xf32>) -> tensor<3x3x3x4xf32>
  %wg = linalg.conv_2d_nhwc_hwcf ins(%xp, %gt : tensor<3x15x12x2xf32>, tensor<13x10x2x4xf32>)
      outs(%wf : tensor<3x3x3x4xf32>) -> tensor<3x3x3x4xf32>

  // The gradient of the image, by the transposed kernel.
  %yp = tensor.pad %y low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %e: index):
    tensor.yield %zero : f32
  } : tensor<2x13x10x4xf32> to tensor<2x15x12x4xf32>
  %ke = tensor.empty() : tensor<3x3x4x3xf32>
  %kt = linalg.transpose ins(%k : tensor<3x3x3x4xf32>) outs(%ke : tensor<3x3x4x3xf32>) permutation = [0, 1, 3, 2]
  %ie = tensor.empty() : tensor<2x13x10x3xf32>
  %if = linalg.fill ins(%zero : f32) outs(%ie : tensor<2x13x10x3xf32>) -> tensor<2x13x10x3xf32>
  %ig = linalg.conv_2d_nhwc_hwcf ins(%yp, %kt : tensor<2x15x12x4xf32>, tensor<3x3x4x3xf32>)
      outs(%if : tensor<2x13x10x3xf32>) -> tensor<2x13x10x3xf32>

  // Transposed: rows put two apart, padded and read again.
  %te = arith.constant dense<0.0> : tensor<2x11x7x4xf32>
  %ts = tensor.insert_slice %s into %te[0, 0, 0, 0] [2, 6, 4, 4] [1, 2, 2, 1] : tensor<2x6x4x4xf32> into tensor<2x11x7x4xf32>
  %tp = tensor.pad %ts low[0, 2, 2, 0] high[0, 2, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %e: index):
    tensor.yield %zero : f32
  } : tensor<2x11x7x4xf32> to tensor<2x15x11x4xf32>
  %re = tensor.empty() : tensor<2x13x9x2xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<2x13x9x2xf32>) -> tensor<2x13x9x2xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%tp, %t : tensor<2x15x11x4xf32>, tensor<3x3x4x2xf32>)
      outs(%rf : tensor<2x13x9x2xf32>) -> tensor<2x13x9x2xf32>
  return %y, %s, %dw, %line, %cube, %m, %wg, %ig, %r
      : tensor<2x13x10x4xf32>, tensor<2x6x4x4xf32>, tensor<2x9x9x3xf32>, tensor<13xf64>, tensor<6x4x4xf32>,
        tensor<2x6x5x3xf32>, tensor<3x3x3x4xf32>, tensor<2x13x10x3xf32>, tensor<2x13x9x2xf32>
}
