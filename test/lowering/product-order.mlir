// Products come out in the order in which their reader goes through them: strides of the call, and no transpose.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.transposed
// CHECK-NOT: tessera.kernel
// CHECK: memref.alloc(){{.*}} : memref<24x48xf32>
// CHECK-NOT: memref.alloc
// CHECK: call @tessera.call.gemm.2xf32.2xf32.2xf32
// CHECK-NOT: tessera.kernel
// CHECK: return
func.func @transposed(%a: tensor<48x32xf32>, %b: tensor<32x24xf32>) -> tensor<24x48xf32> {
  %z = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %e = tensor.empty() : tensor<24x48xf32>
  %t = linalg.transpose ins(%r : tensor<48x24xf32>) outs(%e : tensor<24x48xf32>) permutation = [1, 0]
  return %t : tensor<24x48xf32>
}

// What attention ends with: heads, rows and columns become rows, heads and columns.
// CHECK-LABEL: func.func @tessera.fn.heads
// CHECK-NOT: tessera.kernel
// CHECK: memref.alloc(){{.*}} : memref<3x16x4x8xf32>
// CHECK-NOT: memref.alloc
// CHECK: call @tessera.call.gemm.3xf32.3xf32.3xf32
// CHECK-NOT: tessera.kernel
// CHECK: return
func.func @heads(%p: tensor<3x4x16x16xf32>, %v: tensor<3x16x4x8xf32>) -> tensor<3x16x4x8xf32> {
  %z = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x4x8x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<3x4x8x16xf32>) -> tensor<3x4x8x16xf32>
  %r = linalg.contract indexing_maps = [affine_map<(b, h, d, q, k) -> (b, k, h, d)>,
                                        affine_map<(b, h, d, q, k) -> (b, h, q, k)>,
                                        affine_map<(b, h, d, q, k) -> (b, h, d, q)>]
      ins(%v, %p : tensor<3x16x4x8xf32>, tensor<3x4x16x16xf32>) outs(%f : tensor<3x4x8x16xf32>) -> tensor<3x4x8x16xf32>
  %e = tensor.empty() : tensor<3x16x4x8xf32>
  %t = linalg.transpose ins(%r : tensor<3x4x8x16xf32>) outs(%e : tensor<3x16x4x8xf32>) permutation = [0, 3, 1, 2]
  return %t : tensor<3x16x4x8xf32>
}

// Split between the product and what reads it in another order: the sum reads both in order.
// CHECK-LABEL: func.func @tessera.fn.split
// CHECK: memref.alloc(){{.*}} : memref<24x48xf32>
// CHECK: call @tessera.call.gemm.2xf32.2xf32.2xf32
// CHECK: call @tessera.kernel
// CHECK: return
func.func @split(%a: tensor<48x32xf32>, %b: tensor<32x24xf32>, %c: tensor<24x4x12xf32>) -> tensor<24x4x12xf32> {
  %z = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %s = tensor.expand_shape %r [[0, 1], [2]] output_shape [4, 12, 24] : tensor<48x24xf32> into tensor<4x12x24xf32>
  %e = tensor.empty() : tensor<24x4x12xf32>
  %t = linalg.transpose ins(%s : tensor<4x12x24xf32>) outs(%e : tensor<24x4x12xf32>) permutation = [2, 0, 1]
  %u = arith.addf %t, %c : tensor<24x4x12xf32>
  return %u : tensor<24x4x12xf32>
}

// A split group that the reader parts: the product stays as it is.
// CHECK-LABEL: func.func @tessera.fn.parted
// CHECK: memref.alloc(){{.*}} : memref<48x24xf32>
// CHECK: call @tessera.call.gemm.2xf32.2xf32.2xf32
// CHECK: call @tessera.kernel
// CHECK: return
func.func @parted(%a: tensor<48x32xf32>, %b: tensor<32x24xf32>) -> tensor<4x24x12xf32> {
  %z = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %s = tensor.expand_shape %r [[0, 1], [2]] output_shape [4, 12, 24] : tensor<48x24xf32> into tensor<4x12x24xf32>
  %e = tensor.empty() : tensor<4x24x12xf32>
  %t = linalg.transpose ins(%s : tensor<4x12x24xf32>) outs(%e : tensor<4x24x12xf32>) permutation = [0, 2, 1]
  return %t : tensor<4x24x12xf32>
}

// A batch that would run fastest: its matrices would lie apart in memory, element by element.
// CHECK-LABEL: func.func @tessera.fn.batch_last
// CHECK: call @tessera.call.gemm.3xf32.3xf32.3xf32
// CHECK: call @tessera.kernel
// CHECK: return
func.func @batch_last(%a: tensor<6x16x8xf32>, %b: tensor<6x8x16xf32>) -> tensor<16x16x6xf32> {
  %z = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<6x16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<6x16x16xf32>) -> tensor<6x16x16xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<6x16x8xf32>, tensor<6x8x16xf32>) outs(%f : tensor<6x16x16xf32>) -> tensor<6x16x16xf32>
  %e = tensor.empty() : tensor<16x16x6xf32>
  %t = linalg.transpose ins(%r : tensor<6x16x16xf32>) outs(%e : tensor<16x16x6xf32>) permutation = [1, 2, 0]
  return %t : tensor<16x16x6xf32>
}

// Others read it as it is.
// CHECK-LABEL: func.func @tessera.fn.also_plain
// CHECK: call @tessera.call.gemm.2xf32.2xf32.2xf32
// CHECK: call @tessera.kernel
// CHECK: return
func.func @also_plain(%a: tensor<48x32xf32>, %b: tensor<32x24xf32>) -> (tensor<24x48xf32>, tensor<48x24xf32>) {
  %z = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %e = tensor.empty() : tensor<24x48xf32>
  %t = linalg.transpose ins(%r : tensor<48x24xf32>) outs(%e : tensor<24x48xf32>) permutation = [1, 0]
  return %t, %r : tensor<24x48xf32>, tensor<48x24xf32>
}
