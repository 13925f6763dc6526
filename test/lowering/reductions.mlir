// Reductions reach LLVM in forms that it vectorizes: sums that may be reordered (unless told not to),
// maxima as one intrinsic; exp as a polynomial (unless told not to).
// REQUIRES: tesserac
// RUN: %tesserac %s -o - --emit=llvm | FileCheck %s
// RUN: %tesserac %s -o - --emit=llvm --pass-option=tessera-lower.reassociate=false --pass-option=tessera-lower.approximate-math=false | FileCheck %s --check-prefix=STRICT

func.func @sum(%x: tensor<64x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.reduce ins(%x : tensor<64x64xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  return %r : tensor<64xf32>
}

func.func @maximum(%x: tensor<64x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.reduce ins(%x : tensor<64x64xf32>) outs(%init : tensor<64xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %s = arith.maximumf %a, %b : f32
      linalg.yield %s : f32
    }
  return %r : tensor<64xf32>
}

func.func @exponential(%x: tensor<64xf32>) -> tensor<64xf32> {
  %r = math.exp %x : tensor<64xf32>
  return %r : tensor<64xf32>
}

// CHECK: define {{.*}} @tessera.kernel.0(
// CHECK: fadd reassoc float
// CHECK: define {{.*}} @tessera.kernel.1(
// CHECK: call float @llvm.maximum.f32
// CHECK: define {{.*}} @tessera.kernel.2(
// CHECK: call float @llvm.fma.f32
// CHECK-NOT: @llvm.exp

// STRICT: define {{.*}} @tessera.kernel.0(
// STRICT: fadd float
// STRICT: define {{.*}} @tessera.kernel.2(
// STRICT: @llvm.exp.f32
