// Pools: maxima, minima and sums of windows of each size that code is written out for, and of larger
// ones, with strides and dilations, channels last and first, in one to three dimensions, of floats and
// integers. NaNs win, and what the pool begins with counts.
// RUN-CHECK: --grid 1x1,4x1,1x3,2x2 --seed 3
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<2x15x13x21xf32>, %c_in: tensor<2x6x15x33xf32>, %l_in: tensor<3x41x9xf64>,
                %d_in: tensor<2x7x6x9x4xf32>, %i_in: tensor<2x11x10x18xi32>, %h_in: tensor<2x9x9x20xbf16>,
                %b0: tensor<2x7x6x21xf32>, %b3: tensor<2x4x4x21xf32>, %b6: tensor<2x6x7x16xf32>, %b9: tensor<2x6x1x1xf32>,
                %b12: tensor<2x6x3x4x4xf32>, %b15: tensor<2x5x5x18xi32>, %b18: tensor<2x4x4x20xbf16>)
    -> (tensor<2x7x6x21xf32>, tensor<2x13x5x21xf32>, tensor<2x13x11x21xf32>, tensor<2x4x4x21xf32>,
        tensor<2x11x9x21xf32>, tensor<2x1x1x21xf32>, tensor<2x6x7x16xf32>, tensor<2x6x8x32xf32>,
        tensor<2x6x7x16xf32>, tensor<2x6x1x1xf32>, tensor<3x15x9xf64>, tensor<3x41x5xf64>, tensor<2x6x3x4x4xf32>,
        tensor<2x3x4x4x4xf32>, tensor<2x5x4x18xi32>, tensor<2x5x5x18xi32>, tensor<2x10x9x18xi32>,
        tensor<2x5x8x18xi32>, tensor<2x4x4x20xbf16>, tensor<2x8x8x20xbf16>) {
  %rows = shard.sharding @g split_axes = [[], [0], [1]] : !shard.sharding
  %planes = shard.sharding @g split_axes = [[], [1], [0]] : !shard.sharding
  %line = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %batch = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<2x15x13x21xf32>
  %c = shard.shard %c_in to %planes : tensor<2x6x15x33xf32>
  %l = shard.shard %l_in to %line : tensor<3x41x9xf64>
  %d = shard.shard %d_in to %rows : tensor<2x7x6x9x4xf32>
  %i = shard.shard %i_in to %batch : tensor<2x11x10x18xi32>
  %h = shard.shard %h_in to %rows : tensor<2x9x9x20xbf16>
  %limit_x = arith.constant dense<2.3> : tensor<2x15x13x21xf32>
  %nans_x = arith.constant dense<0xFFC00000> : tensor<2x15x13x21xf32>
  %large_x = arith.cmpf ogt, %x, %limit_x : tensor<2x15x13x21xf32>
  %v = arith.select %large_x, %nans_x, %x : tensor<2x15x13x21xi1>, tensor<2x15x13x21xf32>
  %limit_c = arith.constant dense<2.3> : tensor<2x6x15x33xf32>
  %nans_c = arith.constant dense<0xFFC00000> : tensor<2x6x15x33xf32>
  %large_c = arith.cmpf ogt, %c, %limit_c : tensor<2x6x15x33xf32>
  %w = arith.select %large_c, %nans_c, %c : tensor<2x6x15x33xi1>, tensor<2x6x15x33xf32>
  %w0 = tensor.empty() : tensor<3x3xf32>
  %r0 = linalg.pooling_nhwc_max {strides = dense<[2, 2]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%v, %w0 : tensor<2x15x13x21xf32>, tensor<3x3xf32>) outs(%b0 : tensor<2x7x6x21xf32>) -> tensor<2x7x6x21xf32>
  %w1 = tensor.empty() : tensor<2x3xf32>
  %s1 = arith.constant dense<0.25> : tensor<2x13x5x21xf32>
  %r1 = linalg.pooling_nhwc_min {strides = dense<[1, 2]> : tensor<2xi64>, dilations = dense<[2, 2]> : tensor<2xi64>}
      ins(%v, %w1 : tensor<2x15x13x21xf32>, tensor<2x3xf32>) outs(%s1 : tensor<2x13x5x21xf32>) -> tensor<2x13x5x21xf32>
  %w2 = tensor.empty() : tensor<3x3xf32>
  %s2 = arith.constant dense<0.25> : tensor<2x13x11x21xf32>
  %r2 = linalg.pooling_nhwc_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%x, %w2 : tensor<2x15x13x21xf32>, tensor<3x3xf32>) outs(%s2 : tensor<2x13x11x21xf32>) -> tensor<2x13x11x21xf32>
  %w3 = tensor.empty() : tensor<4x4xf32>
  %r3 = linalg.pooling_nhwc_sum {strides = dense<[3, 3]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%x, %w3 : tensor<2x15x13x21xf32>, tensor<4x4xf32>) outs(%b3 : tensor<2x4x4x21xf32>) -> tensor<2x4x4x21xf32>
  %w4 = tensor.empty() : tensor<5x5xf32>
  %s4 = arith.constant dense<-0.5> : tensor<2x11x9x21xf32>
  %r4 = linalg.pooling_nhwc_max {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%v, %w4 : tensor<2x15x13x21xf32>, tensor<5x5xf32>) outs(%s4 : tensor<2x11x9x21xf32>) -> tensor<2x11x9x21xf32>
  %w5 = tensor.empty() : tensor<15x13xf32>
  %s5 = arith.constant dense<0.25> : tensor<2x1x1x21xf32>
  %r5 = linalg.pooling_nhwc_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%x, %w5 : tensor<2x15x13x21xf32>, tensor<15x13xf32>) outs(%s5 : tensor<2x1x1x21xf32>) -> tensor<2x1x1x21xf32>
  %w6 = tensor.empty() : tensor<3x3xf32>
  %r6 = linalg.pooling_nchw_max {strides = dense<[2, 2]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%w, %w6 : tensor<2x6x15x33xf32>, tensor<3x3xf32>) outs(%b6 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %w7 = tensor.empty() : tensor<1x2xf32>
  %s7 = arith.constant dense<-0.5> : tensor<2x6x8x32xf32>
  %r7 = linalg.pooling_nchw_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%w, %w7 : tensor<2x6x15x33xf32>, tensor<1x2xf32>) outs(%s7 : tensor<2x6x8x32xf32>) -> tensor<2x6x8x32xf32>
  %w8 = tensor.empty() : tensor<2x2xf32>
  %s8 = arith.constant dense<0.25> : tensor<2x6x7x16xf32>
  %r8 = linalg.pooling_nchw_sum {strides = dense<[2, 2]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%c, %w8 : tensor<2x6x15x33xf32>, tensor<2x2xf32>) outs(%s8 : tensor<2x6x7x16xf32>) -> tensor<2x6x7x16xf32>
  %w9 = tensor.empty() : tensor<15x33xf32>
  %r9 = linalg.pooling_nchw_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%c, %w9 : tensor<2x6x15x33xf32>, tensor<15x33xf32>) outs(%b9 : tensor<2x6x1x1xf32>) -> tensor<2x6x1x1xf32>
  %w10 = tensor.empty() : tensor<5xf64>
  %s10 = arith.constant dense<0.25> : tensor<3x15x9xf64>
  %r10 = linalg.pooling_nwc_min {strides = dense<[2]> : tensor<1xi64>, dilations = dense<[3]> : tensor<1xi64>}
      ins(%l, %w10 : tensor<3x41x9xf64>, tensor<5xf64>) outs(%s10 : tensor<3x15x9xf64>) -> tensor<3x15x9xf64>
  %w11 = tensor.empty() : tensor<3xf64>
  %s11 = arith.constant dense<0.25> : tensor<3x41x5xf64>
  %r11 = linalg.pooling_ncw_sum {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[2]> : tensor<1xi64>}
      ins(%l, %w11 : tensor<3x41x9xf64>, tensor<3xf64>) outs(%s11 : tensor<3x41x5xf64>) -> tensor<3x41x5xf64>
  %w12 = tensor.empty() : tensor<2x2x2xf32>
  %r12 = linalg.pooling_ndhwc_max {strides = dense<[1, 2, 2]> : tensor<3xi64>, dilations = dense<[1, 1, 1]> : tensor<3xi64>}
      ins(%d, %w12 : tensor<2x7x6x9x4xf32>, tensor<2x2x2xf32>) outs(%b12 : tensor<2x6x3x4x4xf32>) -> tensor<2x6x3x4x4xf32>
  %w13 = tensor.empty() : tensor<3x3x3xf32>
  %s13 = arith.constant dense<0.25> : tensor<2x3x4x4x4xf32>
  %r13 = linalg.pooling_ndhwc_sum {strides = dense<[1, 1, 2]> : tensor<3xi64>, dilations = dense<[2, 1, 1]> : tensor<3xi64>}
      ins(%d, %w13 : tensor<2x7x6x9x4xf32>, tensor<3x3x3xf32>) outs(%s13 : tensor<2x3x4x4x4xf32>) -> tensor<2x3x4x4x4xf32>
  %w14 = tensor.empty() : tensor<3x3xi32>
  %s14 = arith.constant dense<-7> : tensor<2x5x4x18xi32>
  %r14 = linalg.pooling_nhwc_max {strides = dense<[2, 2]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%i, %w14 : tensor<2x11x10x18xi32>, tensor<3x3xi32>) outs(%s14 : tensor<2x5x4x18xi32>) -> tensor<2x5x4x18xi32>
  %w15 = tensor.empty() : tensor<2x2xi32>
  %r15 = linalg.pooling_nhwc_max_unsigned {strides = dense<[2, 2]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%i, %w15 : tensor<2x11x10x18xi32>, tensor<2x2xi32>) outs(%b15 : tensor<2x5x5x18xi32>) -> tensor<2x5x5x18xi32>
  %w16 = tensor.empty() : tensor<2x2xi32>
  %s16 = arith.constant dense<3> : tensor<2x10x9x18xi32>
  %r16 = linalg.pooling_nhwc_min {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%i, %w16 : tensor<2x11x10x18xi32>, tensor<2x2xi32>) outs(%s16 : tensor<2x10x9x18xi32>) -> tensor<2x10x9x18xi32>
  %w17 = tensor.empty() : tensor<3x2xi32>
  %s17 = arith.constant dense<3> : tensor<2x5x8x18xi32>
  %r17 = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
      ins(%i, %w17 : tensor<2x11x10x18xi32>, tensor<3x2xi32>) outs(%s17 : tensor<2x5x8x18xi32>) -> tensor<2x5x8x18xi32>
  %w18 = tensor.empty() : tensor<3x3xbf16>
  %r18 = linalg.pooling_nhwc_max {strides = dense<[2, 2]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%h, %w18 : tensor<2x9x9x20xbf16>, tensor<3x3xbf16>) outs(%b18 : tensor<2x4x4x20xbf16>) -> tensor<2x4x4x20xbf16>
  %w19 = tensor.empty() : tensor<2x2xbf16>
  %s19 = arith.constant dense<0.5> : tensor<2x8x8x20xbf16>
  %r19 = linalg.pooling_nhwc_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
      ins(%h, %w19 : tensor<2x9x9x20xbf16>, tensor<2x2xbf16>) outs(%s19 : tensor<2x8x8x20xbf16>) -> tensor<2x8x8x20xbf16>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19
      : tensor<2x7x6x21xf32>, tensor<2x13x5x21xf32>, tensor<2x13x11x21xf32>, tensor<2x4x4x21xf32>,
        tensor<2x11x9x21xf32>, tensor<2x1x1x21xf32>, tensor<2x6x7x16xf32>, tensor<2x6x8x32xf32>,
        tensor<2x6x7x16xf32>, tensor<2x6x1x1xf32>, tensor<3x15x9xf64>, tensor<3x41x5xf64>, tensor<2x6x3x4x4xf32>,
        tensor<2x3x4x4x4xf32>, tensor<2x5x4x18xi32>, tensor<2x5x5x18xi32>, tensor<2x10x9x18xi32>,
        tensor<2x5x8x18xi32>, tensor<2x4x4x20xbf16>, tensor<2x8x8x20xbf16>
}
