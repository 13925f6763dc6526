// Transposes before products are strides of the call, through reshapes too.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

// Merged behind a transpose that kept the merged dimensions together: one product, no copy.
// CHECK-LABEL: func.func @tessera.fn.merged
// CHECK-NOT: tessera.kernel
// CHECK-NOT: memref.copy
// CHECK: memref.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : memref<4x16x32xf32> into memref<64x32xf32>
// CHECK-NOT: scf.for
// CHECK: call @tessera.call.gemm.2xf32.2xf32.2xf32
// CHECK: return
func.func @merged(%a: tensor<4x16x32xf32>, %b: tensor<64x24xf32>) -> tensor<32x24xf32> {
  %e = tensor.empty() : tensor<32x4x16xf32>
  %t = linalg.transpose ins(%a : tensor<4x16x32xf32>) outs(%e : tensor<32x4x16xf32>) permutation = [2, 0, 1]
  %m = tensor.collapse_shape %t [[0], [1, 2]] : tensor<32x4x16xf32> into tensor<32x64xf32>
  %z = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<32x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<32x24xf32>) -> tensor<32x24xf32>
  %r = linalg.matmul ins(%m, %b : tensor<32x64xf32>, tensor<64x24xf32>) outs(%f : tensor<32x24xf32>) -> tensor<32x24xf32>
  return %r : tensor<32x24xf32>
}

// Behind two transposes, of which the second one keeps the merged dimensions together: that one is gone.
// CHECK-LABEL: func.func @tessera.fn.merged_behind_two
// CHECK: call @tessera.kernel
// CHECK-NOT: call @tessera.kernel
// CHECK: call @tessera.call.gemm.2xf32.2xf32.2xf32
// CHECK: return
func.func @merged_behind_two(%a: tensor<4x8x32x16xf32>, %b: tensor<64x24xf32>) -> tensor<256x24xf32> {
  %e = tensor.empty() : tensor<4x16x8x32xf32>
  %first = linalg.transpose ins(%a : tensor<4x8x32x16xf32>) outs(%e : tensor<4x16x8x32xf32>) permutation = [0, 3, 1, 2]
  %g = tensor.empty() : tensor<8x32x4x16xf32>
  %t = linalg.transpose ins(%first : tensor<4x16x8x32xf32>) outs(%g : tensor<8x32x4x16xf32>) permutation = [2, 3, 0, 1]
  %m = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<8x32x4x16xf32> into tensor<256x64xf32>
  %z = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<256x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<256x24xf32>) -> tensor<256x24xf32>
  %r = linalg.matmul ins(%m, %b : tensor<256x64xf32>, tensor<64x24xf32>) outs(%f : tensor<256x24xf32>) -> tensor<256x24xf32>
  return %r : tensor<256x24xf32>
}

// A batch of sequences and heads, parted by a transpose: a loop over one, and a call for the other.
// CHECK-LABEL: func.func @tessera.fn.heads
// CHECK-NOT: tessera.kernel
// CHECK-NOT: memref.copy
// CHECK: scf.for
// CHECK: %[[AT:.*]] = arith.addi
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[AT]]]
// CHECK: call @tessera.call.gemm.3xf32.3xf32.3xf32
// CHECK-NOT: tessera.kernel
// CHECK: return
func.func @heads(%q: tensor<3x16x4x8xf32>, %k: tensor<12x8x16xf32>) -> tensor<12x16x16xf32> {
  %e = tensor.empty() : tensor<3x4x16x8xf32>
  %t = linalg.transpose ins(%q : tensor<3x16x4x8xf32>) outs(%e : tensor<3x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %m = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<3x4x16x8xf32> into tensor<12x16x8xf32>
  %z = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<12x16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<12x16x16xf32>) -> tensor<12x16x16xf32>
  %r = linalg.batch_matmul ins(%m, %k : tensor<12x16x8xf32>, tensor<12x8x16xf32>) outs(%f : tensor<12x16x16xf32>) -> tensor<12x16x16xf32>
  return %r : tensor<12x16x16xf32>
}

// Rows and columns stay in one piece: what parts them is a transpose before the product.
// CHECK-LABEL: func.func @tessera.fn.parted_rows
// CHECK: call @tessera.kernel
// CHECK-NOT: scf.for
// CHECK: call @tessera.call.gemm.2xf32.2xf32.2xf32
// CHECK: return
func.func @parted_rows(%a: tensor<3x16x4x8xf32>, %b: tensor<32x24xf32>) -> tensor<48x24xf32> {
  %e = tensor.empty() : tensor<3x16x8x4xf32>
  %t = linalg.transpose ins(%a : tensor<3x16x4x8xf32>) outs(%e : tensor<3x16x8x4xf32>) permutation = [0, 1, 3, 2]
  %m = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<3x16x8x4xf32> into tensor<48x32xf32>
  %z = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = linalg.matmul ins(%m, %b : tensor<48x32xf32>, tensor<32x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  return %r : tensor<48x24xf32>
}
