// Softmax and layer norm are one pass over memory: reductions of a row and what follows them on the
// same row share the loop over rows, and rows between them are the kernel's own.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.softmax
// CHECK: call @tessera.kernel.0
// CHECK-NOT: call
// CHECK: return
func.func @softmax(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %e = tensor.empty() : tensor<64x128xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>)
    -> tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @tessera.fn.norm
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: call @tessera.kernel.1
// CHECK-NOT: call
// CHECK: return
func.func @norm(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 128.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %square = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<64x128xf32>, tensor<64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32, %q: f32):
    %m = arith.divf %s, %n : f32
    %d = arith.subf %a, %m : f32
    %p = arith.mulf %d, %d : f32
    %t = arith.addf %q, %p : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  %o = tensor.empty() : tensor<64x128xf32>
  %r = linalg.generic {indexing_maps = [#ij, #i, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %square : tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>)
      outs(%o : tensor<64x128xf32>) {
  ^bb0(%a: f32, %s: f32, %q: f32, %out: f32):
    %m = arith.divf %s, %n : f32
    %d = arith.subf %a, %m : f32
    %v = arith.divf %q, %n : f32
    %w = math.rsqrt %v : f32
    %t = arith.mulf %d, %w : f32
    linalg.yield %t : f32
  } -> tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}

// CHECK: func.func private @tessera.kernel.0
// CHECK: memref.alloca
// CHECK: %c64 = arith.constant 64
// CHECK: scf.for %{{.*}} to %c64
// CHECK-COUNT-4: scf.for
// CHECK-NOT: scf.for
// CHECK: func.func private @tessera.kernel.1
