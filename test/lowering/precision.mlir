// The record of a result names the narrowest float type that anything it depends on is computed in
// (13 bf16, 14 f32, 15 f64), each result on its own; what is widened alone does not count.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK: @tessera.results.f
// CHECK: llvm.mlir.constant([
// CHECK-SAME: 1 : i32, -1 : i32, #llvm.zero, #llvm.zero, #llvm.zero, #llvm.zero, #llvm.zero, 14 : i32, 0 : i32]
// CHECK-SAME: 1 : i32, -1 : i32, #llvm.zero, #llvm.zero, #llvm.zero, #llvm.zero, #llvm.zero, 15 : i32, 0 : i32]
// CHECK-SAME: 1 : i32, -1 : i32, #llvm.zero, #llvm.zero, #llvm.zero, #llvm.zero, #llvm.zero, 0 : i32, 0 : i32]
// CHECK-SAME: 1 : i32, -1 : i32, #llvm.zero, #llvm.zero, #llvm.zero, #llvm.zero, #llvm.zero, 13 : i32, 0 : i32]
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf64>, %z: tensor<4xf32>, %p: i1)
    -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %a = arith.mulf %x, %x : tensor<4xf32>
  %b = arith.extf %a : tensor<4xf32> to tensor<4xf64>
  %c = arith.mulf %b, %y : tensor<4xf64>
  %d = arith.extf %x : tensor<4xf32> to tensor<4xf64>
  %e = arith.mulf %d, %y : tensor<4xf64>
  %f = scf.if %p -> tensor<4xf64> {
    %g = arith.truncf %z : tensor<4xf32> to tensor<4xbf16>
    %h = arith.extf %g : tensor<4xbf16> to tensor<4xf64>
    scf.yield %h : tensor<4xf64>
  } else {
    scf.yield %c : tensor<4xf64>
  }
  return %c, %e, %d, %f : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}
