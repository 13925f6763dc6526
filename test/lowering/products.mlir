// Sums of products become one call of the runtime's matrix product: transposed operands by strides,
// fill with zero and product as one call; small ones stay loops.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.transposed
// CHECK: %[[OUT:.*]] = memref.alloc()
// CHECK-NOT: tessera.kernel
// CHECK-NOT: memref.copy
// CHECK: %{{.*}}, %{{.*}}, %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK: memref.reinterpret_cast {{.*}} strides: [%[[STRIDES]]#1, %[[STRIDES]]#0]
// CHECK: call @tessera.call.gemm.2xf32.2xf32.2xf32
// CHECK: return %[[OUT]]
func.func @transposed(%a: tensor<48x40xf32>, %b: tensor<48x56xf32>) -> tensor<40x56xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x56xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<40x56xf32>) -> tensor<40x56xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x40xf32>, tensor<48x56xf32>) outs(%f : tensor<40x56xf32>) {
  ^bb0(%x: f32, %y: f32, %c: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x56xf32>
  return %r : tensor<40x56xf32>
}

// The old value counts: no flag, and the fill stays where it is not zero.
// CHECK-LABEL: func.func @tessera.fn.on_top
// CHECK: call @tessera.kernel.
// CHECK: call @tessera.call.gemm
func.func @on_top(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}

// Two products on one destination: only the first overwrites it.
// CHECK-LABEL: func.func @tessera.fn.chained
// CHECK-NOT: tessera.kernel
// CHECK: llvm.mlir.addressof @tessera.site.
// CHECK: call @tessera.call.gemm
// CHECK: call @tessera.call.gemm
func.func @chained(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %s = linalg.matmul ins(%b, %a : tensor<32x32xf32>, tensor<32x32xf32>) outs(%r : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %s : tensor<32x32xf32>
}

// CHECK-LABEL: func.func @tessera.fn.batched
// CHECK: call @tessera.call.gemm.3xf64.3xf64.3xf64
func.func @batched(%a: tensor<3x16x24xf64>, %b: tensor<3x24x32xf64>, %c: tensor<3x16x32xf64>) -> tensor<3x16x32xf64> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x16x24xf64>, tensor<3x24x32xf64>) outs(%c : tensor<3x16x32xf64>) -> tensor<3x16x32xf64>
  return %r : tensor<3x16x32xf64>
}

// CHECK-LABEL: func.func @tessera.fn.small
// CHECK: call @tessera.kernel.
// CHECK-NOT: gemm
// CHECK: return
func.func @small(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// One fill that three products start from (CSE makes such) is neither copied nor needed.
// CHECK-LABEL: func.func @tessera.fn.shared_zero
// CHECK-NOT: memref.copy
// CHECK-NOT: tessera.kernel
// CHECK-COUNT-3: call @tessera.call.gemm
// CHECK-NOT: memref.copy
// CHECK: return
func.func @shared_zero(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %p = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %q = linalg.matmul ins(%b, %a : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.matmul ins(%a, %a : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %p, %q, %r : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}

// An elementwise op before a product, and a reshape after it, leave it a product.
// CHECK-LABEL: func.func @tessera.fn.between
// CHECK: call @tessera.kernel.
// CHECK: call @tessera.call.gemm.3xf32.3xf32.3xf32
// CHECK-NOT: tessera.kernel
// CHECK: return
func.func @between(%a: tensor<4x32x32xf32>, %b: tensor<4x32x32xf32>) -> tensor<2x2x32x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %x = math.exp %a : tensor<4x32x32xf32>
  %p = linalg.batch_matmul ins(%x, %b : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%f : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %r = tensor.expand_shape %p [[0, 1], [2], [3]] output_shape [2, 2, 32, 32] : tensor<4x32x32xf32> into tensor<2x2x32x32xf32>
  return %r : tensor<2x2x32x32xf32>
}

// A transpose in front of a product is none of memory: strides do it.
// CHECK-LABEL: func.func @tessera.fn.behind_transpose
// CHECK: %[[OUT:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK-NOT: tessera.kernel
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg1
// CHECK: memref.reinterpret_cast {{.*}} strides: [%[[STRIDES]]#1, %[[STRIDES]]#0]
// CHECK: call @tessera.call.gemm.2xf32.2xf32.2xf32
// CHECK: return %[[OUT]]
func.func @behind_transpose(%a: tensor<40x48xf32>, %b: tensor<56x48xf32>) -> tensor<40x56xf32> {
  %z = arith.constant 0.0 : f32
  %be = tensor.empty() : tensor<48x56xf32>
  %bt = linalg.transpose ins(%b : tensor<56x48xf32>) outs(%be : tensor<48x56xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<40x56xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<40x56xf32>) -> tensor<40x56xf32>
  %r = linalg.matmul ins(%a, %bt : tensor<40x48xf32>, tensor<48x56xf32>) outs(%f : tensor<40x56xf32>) -> tensor<40x56xf32>
  return %r : tensor<40x56xf32>
}

// A sum of products for each column has neither rows nor columns of a matrix: a loop over memory in
// its order, which takes in what its inputs are computed by.
// CHECK-LABEL: func.func @tessera.fn.columns
// CHECK: memref.alloc() {{.*}}: memref<256xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: gemm
// CHECK: call @tessera.kernel.
// CHECK-NOT: gemm
// CHECK: return
func.func @columns(%a: tensor<512x256xf32>, %b: tensor<512x256xf32>) -> tensor<256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %n = arith.negf %b : tensor<512x256xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (i, j)>,
                                        affine_map<(j, i) -> (j)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%a, %n : tensor<512x256xf32>, tensor<512x256xf32>) outs(%f : tensor<256xf32>) {
  ^bb0(%x: f32, %y: f32, %c: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<256xf32>
  return %r : tensor<256xf32>
}

// In half precision the runtime's product adds up in more.
// CHECK-LABEL: func.func @tessera.fn.half
// CHECK: gemm
func.func @half(%a: tensor<512x256xbf16>, %b: tensor<512x256xbf16>, %c: tensor<256xbf16>) -> tensor<256xbf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (i, j)>,
                                        affine_map<(j, i) -> (j)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<512x256xbf16>, tensor<512x256xbf16>) outs(%c : tensor<256xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %o: bf16):
    %p = arith.mulf %x, %y : bf16
    %s = arith.addf %o, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<256xbf16>
  return %r : tensor<256xbf16>
}
