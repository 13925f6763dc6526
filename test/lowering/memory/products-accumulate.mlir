// A product is added to what ends there in its memory, another product's result for one, by its call; not
// to what is read later or is somebody else's, nor where more than a sum is computed, the product is read
// elsewhere, or sums of floats keep their order.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower{reassociate=false})' \
// RUN:   --mlir-print-local-scope | FileCheck %s --check-prefix=ORDER


// CHECK-LABEL: func.func @tessera.fn.two
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK-COUNT-2: call @tessera.call.gemm.2xf32.2xf32.2xf32
// CHECK-NOT: call @
// CHECK: return
// ORDER-LABEL: func.func @tessera.fn.two
// ORDER: call @tessera.kernel
func.func @two(%a: tensor<48x32xf32>, %b: tensor<32x24xf32>, %c: tensor<48x16xf32>, %d: tensor<16x24xf32>) -> tensor<48x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<48x24xf32>) -> tensor<48x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %q = linalg.matmul ins(%c, %d : tensor<48x16xf32>, tensor<16x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = linalg.add ins(%p, %q : tensor<48x24xf32>, tensor<48x24xf32>) outs(%e : tensor<48x24xf32>) -> tensor<48x24xf32>
  return %r : tensor<48x24xf32>
}

// The value is read before, in front of the product, and made behind another.
// CHECK-LABEL: func.func @tessera.fn.residual
// CHECK: call @tessera.call.gemm
// CHECK: call @tessera.kernel
// CHECK: call @tessera.call.gemm
// CHECK-NOT: call @
// CHECK: return
func.func @residual(%a: tensor<24x24xf32>, %b: tensor<24x24xf32>, %c: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %x = linalg.matmul ins(%a, %b : tensor<24x24xf32>, tensor<24x24xf32>) outs(%f : tensor<24x24xf32>) -> tensor<24x24xf32>
  %n = math.absf %x : tensor<24x24xf32>
  %p = linalg.matmul ins(%n, %c : tensor<24x24xf32>, tensor<24x24xf32>) outs(%f : tensor<24x24xf32>) -> tensor<24x24xf32>
  %r = arith.addf %x, %p : tensor<24x24xf32>
  return %r : tensor<24x24xf32>
}

// CHECK-LABEL: func.func @tessera.fn.carried
// CHECK: scf.for
// CHECK-NOT: tessera.kernel
// CHECK: call @tessera.call.gemm
// CHECK-NOT: tessera.kernel
// CHECK: return
func.func @carried(%a: tensor<24x32xf32>, %b: tensor<32x24xf32>, %s: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<24x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %s) -> tensor<24x24xf32> {
    %p = linalg.matmul ins(%a, %b : tensor<24x32xf32>, tensor<32x24xf32>) outs(%f : tensor<24x24xf32>) -> tensor<24x24xf32>
    %u = arith.addf %p, %t : tensor<24x24xf32>
    scf.yield %u : tensor<24x24xf32>
  }
  return %r : tensor<24x24xf32>
}

// An argument is the caller's.
// CHECK-LABEL: func.func @tessera.fn.callers
// CHECK: call @tessera.call.gemm
// CHECK: call @tessera.kernel
// CHECK: return
func.func @callers(%a: tensor<48x32xf32>, %b: tensor<32x24xf32>, %s: tensor<48x24xf32>) -> tensor<48x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<48x24xf32>) -> tensor<48x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = arith.addf %p, %s : tensor<48x24xf32>
  return %r : tensor<48x24xf32>
}

// CHECK-LABEL: func.func @tessera.fn.lives_on
// CHECK-COUNT-2: call @tessera.call.gemm
// CHECK: call @tessera.kernel
// CHECK: return
func.func @lives_on(%a: tensor<48x32xf32>, %b: tensor<32x24xf32>, %c: tensor<48x16xf32>, %d: tensor<16x24xf32>) -> (tensor<48x24xf32>, tensor<48x24xf32>, tensor<48x24xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<48x24xf32>) -> tensor<48x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %q = linalg.matmul ins(%c, %d : tensor<48x16xf32>, tensor<16x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = arith.addf %p, %q : tensor<48x24xf32>
  return %p, %q, %r : tensor<48x24xf32>, tensor<48x24xf32>, tensor<48x24xf32>
}

// What is computed besides is one kernel with the sum.
// CHECK-LABEL: func.func @tessera.fn.more
// CHECK-COUNT-2: call @tessera.call.gemm
// CHECK: call @tessera.kernel
// CHECK: return
func.func @more(%a: tensor<48x32xf32>, %b: tensor<32x24xf32>, %c: tensor<48x16xf32>, %d: tensor<16x24xf32>) -> tensor<48x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<48x24xf32>) -> tensor<48x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %q = linalg.matmul ins(%c, %d : tensor<48x16xf32>, tensor<16x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %s = arith.addf %p, %q : tensor<48x24xf32>
  %r = math.absf %s : tensor<48x24xf32>
  return %r : tensor<48x24xf32>
}

// Sums of halves would be rounded where they are not now.
// CHECK-LABEL: func.func @tessera.fn.halves
// CHECK-COUNT-2: call @tessera.call.gemm
// CHECK: call @tessera.kernel
// CHECK: return
func.func @halves(%a: tensor<48x32xbf16>, %b: tensor<32x24xbf16>, %c: tensor<48x16xbf16>, %d: tensor<16x24xbf16>) -> tensor<48x24xbf16> {
  %z = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<48x24xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<48x24xbf16>) -> tensor<48x24xbf16>
  %p = linalg.matmul ins(%a, %b : tensor<48x32xbf16>, tensor<32x24xbf16>) outs(%f : tensor<48x24xbf16>) -> tensor<48x24xbf16>
  %q = linalg.matmul ins(%c, %d : tensor<48x16xbf16>, tensor<16x24xbf16>) outs(%f : tensor<48x24xbf16>) -> tensor<48x24xbf16>
  %r = arith.addf %p, %q : tensor<48x24xbf16>
  return %r : tensor<48x24xbf16>
}

// A sum that is inserted is computed where it is to be.
// CHECK-LABEL: func.func @tessera.fn.inserted
// CHECK-COUNT-2: call @tessera.call.gemm
// CHECK: call @tessera.kernel
// CHECK-NOT: memref.copy
// CHECK: return
func.func @inserted(%a: tensor<48x32xf32>, %b: tensor<32x24xf32>, %c: tensor<48x16xf32>, %d: tensor<16x24xf32>) -> tensor<2x48x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<48x24xf32>) -> tensor<48x24xf32>
  %o = tensor.empty() : tensor<2x48x24xf32>
  %all = linalg.fill ins(%z : f32) outs(%o : tensor<2x48x24xf32>) -> tensor<2x48x24xf32>
  %p = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %q = linalg.matmul ins(%c, %d : tensor<48x16xf32>, tensor<16x24xf32>) outs(%f : tensor<48x24xf32>) -> tensor<48x24xf32>
  %s = arith.addf %p, %q : tensor<48x24xf32>
  %r = tensor.insert_slice %s into %all[1, 0, 0] [1, 48, 24] [1, 1, 1] : tensor<48x24xf32> into tensor<2x48x24xf32>
  return %r : tensor<2x48x24xf32>
}
