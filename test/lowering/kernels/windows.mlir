// The few steps of a window are no loops but code of the loop over what is contiguous, whose sum, or maximum,
// stays in a register: one load and one store of it. Of a larger window it is the last dimensions.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK-COUNT-4: scf.for
// CHECK: memref.load
// CHECK-COUNT-9: arith.addf
// CHECK-NOT: arith.addf
// CHECK: memref.store
// CHECK-NOT: scf.for
// CHECK: return
func.func @sums(%x: tensor<2x9x9x40xf32>, %w: tensor<3x3xf32>, %y: tensor<2x4x4x40xf32>) -> tensor<2x4x4x40xf32> {
  %r = linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<2x9x9x40xf32>, tensor<3x3xf32>) outs(%y : tensor<2x4x4x40xf32>) -> tensor<2x4x4x40xf32>
  return %r : tensor<2x4x4x40xf32>
}

// Channels first: along a row of places. What the window is read from is 2 apart.
// CHECK-LABEL: func.func private @tessera.kernel.1
// CHECK-COUNT-2: scf.for
// CHECK-COUNT-4: arith.maxsi
// CHECK-NOT: arith.maxsi
// CHECK: return
func.func @channels_first(%x: tensor<2x5x8x40xi32>, %w: tensor<2x2xi32>, %y: tensor<2x5x4x20xi32>) -> tensor<2x5x4x20xi32> {
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<2x5x8x40xi32>, tensor<2x2xi32>) outs(%y : tensor<2x5x4x20xi32>) -> tensor<2x5x4x20xi32>
  return %r : tensor<2x5x4x20xi32>
}

// CHECK-LABEL: func.func private @tessera.kernel.2
// CHECK-COUNT-5: scf.for
// CHECK-COUNT-7: arith.addf
// CHECK-NOT: arith.addf
// CHECK: return
func.func @large(%x: tensor<2x15x15x40xf32>, %w: tensor<7x7xf32>, %y: tensor<2x5x5x40xf32>) -> tensor<2x5x5x40xf32> {
  %r = linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<2x15x15x40xf32>, tensor<7x7xf32>) outs(%y : tensor<2x5x5x40xf32>) -> tensor<2x5x5x40xf32>
  return %r : tensor<2x5x5x40xf32>
}

// Whether one of ten is a NaN, and which sign zeros have, is asked once for all.
// CHECK-LABEL: func.func private @tessera.kernel.3
// CHECK-NOT: arith.maximumf
// CHECK-COUNT-9: arith.cmpf ogt
// CHECK-COUNT-5: arith.cmpf uno
// CHECK-NOT: arith.cmpf
// CHECK: memref.store
// CHECK: return
func.func @maxima(%x: tensor<2x9x9x40xf32>, %w: tensor<3x3xf32>, %y: tensor<2x4x4x40xf32>) -> tensor<2x4x4x40xf32> {
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<2x9x9x40xf32>, tensor<3x3xf32>) outs(%y : tensor<2x4x4x40xf32>) -> tensor<2x4x4x40xf32>
  return %r : tensor<2x4x4x40xf32>
}

// Sixteen lines of memory that have the same place in a cache are too many at once: eight.
// CHECK-LABEL: func.func private @tessera.kernel.4
// CHECK-COUNT-3: scf.for
// CHECK: arith.addf
// CHECK-NOT: arith.addf
// CHECK: return
func.func @same_places(%x: tensor<4x16x1024xf32>, %y: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x16x1024xf32>) outs(%y : tensor<4x1024xf32>) dimensions = [1]
  return %r : tensor<4x1024xf32>
}

// CHECK-LABEL: func.func private @tessera.kernel.5
// CHECK-COUNT-2: scf.for
// CHECK-COUNT-16: arith.addf
// CHECK-NOT: arith.addf
// CHECK: return
func.func @other_places(%x: tensor<4x16x1000xf32>, %y: tensor<4x1000xf32>) -> tensor<4x1000xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x16x1000xf32>) outs(%y : tensor<4x1000xf32>) dimensions = [1]
  return %r : tensor<4x1000xf32>
}

// Of a window that overlaps what is written each step is read anew.
// CHECK-LABEL: func.func private @tessera.kernel.6
// CHECK: arith.addf
// CHECK-NOT: arith.addf
// CHECK: return
func.func @in_place(%x: memref<64x40xf32>, %w: memref<3xf32>) {
  %y = memref.subview %x[0, 0] [62, 40] [1, 1] : memref<64x40xf32> to memref<62x40xf32, strided<[40, 1]>>
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i + k, j)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : memref<64x40xf32>, memref<3xf32>) outs(%y : memref<62x40xf32, strided<[40, 1]>>) {
  ^bb0(%a: f32, %u: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  }
  return
}
