// A function with a matrix product that a large loop nest's body calls runs on the rank's thread alone.
// REQUIRES: tesserac
// RUN: %tesserac %s --emit=llvm -o - | FileCheck %s
// CHECK-NOT: @tessera_rt_parallel
// CHECK: tessera_rt_gemm
#ij = affine_map<(i, j) -> (i, j)>
func.func private @q(%b: f32) -> f32 {
  %z = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%b : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %g = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = linalg.matmul ins(%f, %f : tensor<16x16xf32>, tensor<16x16xf32>) outs(%g : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = tensor.extract %p[%c1, %c1] : tensor<16x16xf32>
  return %r : f32
}
func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %e = tensor.empty() : tensor<512x512xf32>
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
     ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%a: f32, %o: f32):
    %z = func.call @q(%a) : (f32) -> f32
    linalg.yield %z : f32
  } -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}
