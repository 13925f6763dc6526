// Cheap values that are read on both sides of a product are computed on each, where that saves memory traffic.
// REQUIRES: tesserac
// RUN: %tesserac %s -o %t --no-cache --print-after=recomputed 2>&1 | FileCheck %s

// A bias in an activation and in its gradient: the sum is written to no memory.
// CHECK-LABEL: func.func @tessera.fn.bias
// CHECK: linalg.contract
// CHECK: arith.addf
// CHECK: math.fma
// CHECK: linalg.contract
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK: return
func.func @bias(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>, %b: tensor<48xf32>, %v: tensor<48x48xf32>)
    -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %wide = linalg.broadcast ins(%b : tensor<48xf32>) outs(%e : tensor<64x48xf32>) dimensions = [0]
  %s = linalg.add ins(%p, %wide : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %t = linalg.tanh ins(%s : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %q = linalg.matmul ins(%t, %v : tensor<64x48xf32>, tensor<48x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r = linalg.mul ins(%q, %s : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}

// What the product reads is in memory anyway, and so is not computed from more.
// CHECK-LABEL: func.func @tessera.fn.kept
// CHECK: arith.addf
// CHECK: linalg.contract
// CHECK-NOT: arith.addf
// CHECK: arith.mulf
// CHECK: return
func.func @kept(%x: tensor<64x48xf32>, %y: tensor<64x48xf32>, %v: tensor<48x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %s = linalg.add ins(%x, %y : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %q = linalg.matmul ins(%s, %v : tensor<64x48xf32>, tensor<48x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r = linalg.mul ins(%q, %s : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}

// A square of what is read there as well costs no byte.
// CHECK-LABEL: func.func @tessera.fn.square
// CHECK: arith.mulf %in, %in : f32
// CHECK: linalg.contract
// CHECK: arith.mulf %in, %in : f32
// CHECK: arith.addf
// CHECK: return
func.func @square(%x: tensor<64x48xf32>, %v: tensor<48x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %s = linalg.mul ins(%x, %x : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %q = linalg.matmul ins(%s, %v : tensor<64x48xf32>, tensor<48x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r = linalg.sub ins(%q, %x : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %t = linalg.exp ins(%r : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %u = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>,
                       affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s, %x, %t : tensor<64x48xf32>, tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%square: f32, %base: f32, %other: f32, %out: f32):
    %1 = arith.addf %square, %base : f32
    %2 = arith.addf %1, %other : f32
    linalg.yield %2 : f32
  } -> tensor<64x48xf32>
  return %u : tensor<64x48xf32>
}

// What takes long is kept.
// CHECK-LABEL: func.func @tessera.fn.long
// CHECK: math.fma
// CHECK: linalg.contract
// CHECK-NOT: math.fma
// CHECK: return
func.func @long(%x: tensor<64x48xf32>, %w: tensor<48x48xf32>, %v: tensor<48x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %s = linalg.exp ins(%x : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %n = linalg.negf ins(%s : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %q = linalg.matmul ins(%n, %v : tensor<64x48xf32>, tensor<48x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r = linalg.mul ins(%q, %s : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}

// Read on the other side alone: computed there, and nowhere else.
// CHECK-LABEL: func.func @tessera.fn.far
// CHECK-NOT: linalg.yield
// CHECK: linalg.contract
// CHECK: arith.mulf %in, %in : f32
// CHECK: arith.subf
// CHECK: arith.divf
// CHECK: return
func.func @far(%x: tensor<64x48xf32>, %v: tensor<48x48xf32>) -> (tensor<64x48xf32>, tensor<64x48xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %s = linalg.mul ins(%x, %x : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %q = linalg.matmul ins(%x, %v : tensor<64x48xf32>, tensor<48x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %r = linalg.sub ins(%q, %s : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %t = linalg.div ins(%q, %s : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %r, %t : tensor<64x48xf32>, tensor<64x48xf32>
}
