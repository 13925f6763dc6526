// Dimensions that several loops index are read through windows: a stride for each loop, an offset,
// and how many indices there are for each iteration of a loop. Their loops stay whole.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

// Strides of the positions are 2 and 1, dilations 1 and 3.
// CHECK-LABEL: @strided_and_dilated
// CHECK-NEXT: linalg.conv_2d_nhwc_hwcf
// CHECK-NEXT:   loops: 0 parallel 2, 1 parallel 4, 2 whole 5, 3 parallel 4, 4 whole 3, 5 whole 3, 6 reduction 3
// CHECK-NEXT:   operands: [0][2*1(3) + 1*4(7) of 9, led by 1][1*2(7) + 3*5(5) of 11][6], [4][5][6][3], [0][1][2][3]
// CHECK-NEXT:   results: [0][1][2][3]
// CHECK-NEXT:   result 0: reduces sum, init 2 read, sum of {2} {0,1}
// CHECK-NEXT:   remark: loop 2 of 'linalg.conv_2d_nhwc_hwcf' stays whole on every device: a dimension that is read backwards or nearly whole at every place, or whose window's extent is not known, is indexed by an expression of it
func.func @strided_and_dilated(%x: tensor<2x9x11x3xf32>, %k: tensor<3x3x3x4xf32>, %o: tensor<2x4x5x4xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
    ins(%x, %k : tensor<2x9x11x3xf32>, tensor<3x3x3x4xf32>) outs(%o : tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf32>
  return
}

// Kernels longer than what is computed: the places lead, of which none reads all.
// CHECK-LABEL: @patches
// CHECK: operands: [0][32*1(32) + 1*4(225) of 256, led by 1]
func.func @patches(%x: tensor<1x256x256x3xf32>, %k: tensor<32x32x3x4xf32>, %o: tensor<1x8x8x4xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<32> : tensor<2xi64>}
    ins(%x, %k : tensor<1x256x256x3xf32>, tensor<32x32x3x4xf32>) outs(%o : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return
}

// The window of a pool is as large as an operand that is not read.
// CHECK-LABEL: @pool
// CHECK-NEXT: linalg.pooling_nchw_max
// CHECK-NEXT:   loops: 0 parallel 2, 1 parallel 3, 2 parallel 4, 3 parallel 4, 4 whole 2, 5 whole 2
// CHECK-NEXT:   operands: [0][1][2*2(2) + 1*4(7) of 8, led by 2][2*3(2) + 1*5(7) of 8, led by 3], [4][5], [0][1][2][3]
// CHECK-NEXT:   results: [0][1][2][3]
// CHECK-NEXT:   result 0: reduces max, init 2 read, max of {2} {0}
func.func @pool(%x: tensor<2x3x8x8xf32>, %w: tensor<2x2xf32>, %o: tensor<2x3x4x4xf32>) {
  %0 = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<2x3x8x8xf32>, tensor<2x2xf32>) outs(%o : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>
  return
}

// CHECK-LABEL: @unknown_width
// CHECK-NEXT: linalg.conv_1d
// CHECK-NEXT:   loops: 0 parallel ?, 1 whole 5
// CHECK-NEXT:   operands: [1*0(5) + 1*1(?) of ?, led by 0], [1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces sum, init 2 read, sum of {2} {0,1} with complete {0}
func.func @unknown_width(%x: tensor<?xf32>, %k: tensor<5xf32>, %o: tensor<?xf32>) {
  %0 = linalg.conv_1d ins(%x, %k : tensor<?xf32>, tensor<5xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return
}

// Neither extent is known, or it is that of what is read and not of the window.
// CHECK-LABEL: @unknown_kernel
// CHECK-NEXT: linalg.conv_1d
// CHECK-NEXT:   loops: 0 whole ?, 1 whole ?
// CHECK-NEXT:   operands: [1*0(?) + 1*1(?) of ?], [1], [0]
// CHECK: {{^}}linalg.conv_1d
// CHECK-NEXT:   loops: 0 whole 7, 1 whole ?
// CHECK-NEXT:   operands: [1*0(?) + 1*1(7) of ?], [1], [0]
func.func @unknown_kernel(%x: tensor<?xf32>, %k: tensor<?xf32>, %o: tensor<?xf32>, %y: tensor<8xf32>, %p: tensor<7xf32>) {
  %0 = linalg.conv_1d ins(%x, %k : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.conv_1d ins(%y, %k : tensor<8xf32>, tensor<?xf32>) outs(%p : tensor<7xf32>) -> tensor<7xf32>
  return
}

#same = affine_map<(i) -> (i)>
#shift = affine_map<(i) -> (i + 2)>
#odd = affine_map<(i) -> (i * 2 + 1)>
#back = affine_map<(i) -> (7 - i)>
#half = affine_map<(i) -> (i floordiv 2)>
#one = affine_map<(i) -> (1)>

// CHECK-LABEL: @stencil
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 whole 8
// CHECK-NEXT:   operands: [1*0(1) + 2 of 8, led by 0], [2*0(1) + 1 of 15, led by 0], [-1*0(1) + 7 of 8, led by 0], [], [], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces none, init 5, sum of {0} {1}
// CHECK-NEXT:   remark: loop 0 of 'linalg.generic' stays whole on every device: a dimension is indexed by an expression of it (a window, a stride or a shift)
func.func @stencil(%a: tensor<10xf32>, %b: tensor<16xf32>, %c: tensor<8xf32>, %d: tensor<4xf32>, %o: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#shift, #odd, #back, #half, #one, #same], iterator_types = ["parallel"]}
    ins(%a, %b, %c, %d, %d : tensor<10xf32>, tensor<16xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %h: f32, %l: f32, %old: f32):
    %1 = arith.addf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return
}
