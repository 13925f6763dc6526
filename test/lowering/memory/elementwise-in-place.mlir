// A large elementwise result takes the memory of an operand that nobody reads later, and constants
// that are written over are fills instead of copies.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>

// The gradient's memory becomes the result's.
// CHECK-LABEL: func.func @tessera.fn.update
// CHECK: memref.alloc() : memref<512x512xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @update(%w: tensor<512x512xf32>, %x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %g = linalg.matmul ins(%x, %x : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %g : tensor<512x512xf32>, tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// Not where an operand is read in another order, nor where it is read later: no copies for it.
// CHECK-LABEL: func.func @tessera.fn.kept
// CHECK-COUNT-3: memref.alloc() : memref<512x512xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @kept(%x: tensor<512x512xf32>)
    -> (tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %g = linalg.matmul ins(%x, %x : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = linalg.generic {indexing_maps = [#id, #tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %g : tensor<512x512xf32>, tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  %t = linalg.matmul ins(%r, %x : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %g, %r, %t : tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>
}

// What a loop carries is added to where it is, of whatever size: its trips allocate nothing, and nobody
// asks at run time whose memory it is. Not what is carried on in another's place.
// CHECK-LABEL: func.func @tessera.fn.carried
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[a-z0-9_]+}} {
// CHECK-NOT: memref.alloc
// CHECK: return
// CHECK-LABEL: func.func @tessera.fn.swapped
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: scf.yield
#one = affine_map<(i) -> (i)>
func.func @carried(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %p = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%a, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%u: f32, %v: f32, %o: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    %q = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%y, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%u: f32, %v: f32, %o: f32):
      %s = arith.mulf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    scf.yield %p, %q : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
func.func @swapped(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %p = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
        ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%u: f32, %v: f32, %o: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    scf.yield %b, %p : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @tessera.fn.scan
// CHECK-NOT: memref.get_global
// CHECK-NOT: memref.copy
// CHECK: call @tessera.kernel
// CHECK: scf.for
func.func @scan(%x: tensor<64xf32>) -> tensor<16x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = arith.constant dense<0.0> : tensor<16x64xf32>
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %rows) -> tensor<16x64xf32> {
    %u = tensor.insert_slice %x into %t[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<16x64xf32>
    scf.yield %u : tensor<16x64xf32>
  }
  return %r : tensor<16x64xf32>
}
