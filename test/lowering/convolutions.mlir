// Convolutions become one call of the runtime's: dimensions in one order by strides, the fill with
// zero as a flag, steps and dilations in the record; small ones stay loops.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.channels_last
// CHECK: %[[OUT:.*]] = memref.alloc() {{.*}}memref<2x6x5x8xf32>
// CHECK-NOT: linalg
// CHECK: %[[IN:.*]], %{{.*}}, %[[SIZES:.*]]:4, %[[STRIDES:.*]]:4 = memref.extract_strided_metadata %arg0
// CHECK: memref.reinterpret_cast %[[IN]] {{.*}} sizes: [%[[SIZES]]#0, %{{.*}}, %[[SIZES]]#3, %[[SIZES]]#1, %[[SIZES]]#2], strides: [%[[STRIDES]]#0, %{{.*}}, %[[STRIDES]]#3, %[[STRIDES]]#1, %[[STRIDES]]#2]
// CHECK: llvm.mlir.addressof @tessera.site.0
// CHECK: call @tessera.call.conv.5xf32.5xf32.5xf32
// CHECK: return %[[OUT]]
func.func @channels_last(%x: tensor<2x13x9x3xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<2x6x5x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x5x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x6x5x8xf32>) -> tensor<2x6x5x8xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
      ins(%x, %w : tensor<2x13x9x3xf32>, tensor<3x3x3x8xf32>) outs(%f : tensor<2x6x5x8xf32>) -> tensor<2x6x5x8xf32>
  return %r : tensor<2x6x5x8xf32>
}

// Transposes are strides, and what the input comes from is computed once, not for each tap.
// CHECK-LABEL: func.func @tessera.fn.after_elementwise
// CHECK: call @tessera.kernel.0
// CHECK-NOT: call @tessera.kernel
// CHECK: call @tessera.call.conv
// CHECK-NOT: call @tessera.kernel
// CHECK: return
func.func @after_elementwise(%x: tensor<2x4x12x12xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<2x10x10x8xf32> {
  %z = arith.constant 0.0 : f32
  %a = math.tanh %x : tensor<2x4x12x12xf32>
  %xe = tensor.empty() : tensor<2x12x12x4xf32>
  %xt = linalg.transpose ins(%a : tensor<2x4x12x12xf32>) outs(%xe : tensor<2x12x12x4xf32>) permutation = [0, 2, 3, 1]
  %we = tensor.empty() : tensor<3x3x4x8xf32>
  %wt = linalg.transpose ins(%w : tensor<8x4x3x3xf32>) outs(%we : tensor<3x3x4x8xf32>) permutation = [2, 3, 1, 0]
  %e = tensor.empty() : tensor<2x10x10x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x10x10x8xf32>) -> tensor<2x10x10x8xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%xt, %wt : tensor<2x12x12x4xf32>, tensor<3x3x4x8xf32>)
      outs(%f : tensor<2x10x10x8xf32>) -> tensor<2x10x10x8xf32>
  return %r : tensor<2x10x10x8xf32>
}

// The old value counts; groups of one channel; a generic of that form.
// CHECK-LABEL: func.func @tessera.fn.depthwise
// CHECK-NOT: linalg
// CHECK: llvm.mlir.addressof @tessera.site.2
// CHECK: call @tessera.call.conv
func.func @depthwise(%x: tensor<1x16x10x10xf64>, %w: tensor<16x3x3xf64>, %old: tensor<1x16x8x8xf64>) -> tensor<1x16x8x8xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, i, j, k, l) -> (n, c, i + k, j + l)>,
                                        affine_map<(n, c, i, j, k, l) -> (c, k, l)>,
                                        affine_map<(n, c, i, j, k, l) -> (n, c, i, j)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x10x10xf64>, tensor<16x3x3xf64>) outs(%old : tensor<1x16x8x8xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %c, %p : f64
    linalg.yield %s : f64
  } -> tensor<1x16x8x8xf64>
  return %r : tensor<1x16x8x8xf64>
}

// CHECK-LABEL: func.func @tessera.fn.one_dimension
// CHECK: call @tessera.call.conv.4xi8.4xi8.4xi32
func.func @one_dimension(%x: tensor<2x40x4xi8>, %w: tensor<5x4x8xi8>, %old: tensor<2x36x8xi32>) -> tensor<2x36x8xi32> {
  %r = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x40x4xi8>, tensor<5x4x8xi8>) outs(%old : tensor<2x36x8xi32>) -> tensor<2x36x8xi32>
  return %r : tensor<2x36x8xi32>
}

// CHECK-LABEL: func.func @tessera.fn.small
// CHECK-NOT: tessera.call.conv
// CHECK: call @tessera.kernel
func.func @small(%x: tensor<8xf32>, %w: tensor<3xf32>, %old: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.conv_1d ins(%x, %w : tensor<8xf32>, tensor<3xf32>) outs(%old : tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
