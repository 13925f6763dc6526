// Functions of f32 are a few instructions in a kernel: no division, no branch and no call, nor anything that
// holds for some arguments alone. Those that may be less exact are the same, and small powers are products.
// REQUIRES: tesserac, clang
// RUN: %tesserac %s --target=cuda --emit=kernels -o - | FileCheck %s
// RUN: %tesserac %s --target=cuda --emit=kernels -o - | FileCheck %s --check-prefix=NONE
// RUN: %tesserac %s --target=cuda --emit=kernels -O0 -o - | FileCheck %s --check-prefix=NONE

// CHECK-DAG: ex2.approx.ftz.f32
// CHECK-DAG: rcp.approx.ftz.f32
// CHECK-DAG: rsqrt.approx.f32
// NONE-NOT: {{div\.|call|__nv_|\.func}}
// NONE: .entry tessera_kernel_0(
// NONE-NOT: {{div\.|call|__nv_|\.func}}
func.func @functions(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = math.tanh %x : tensor<64xf32>
  %1 = math.exp %0 : tensor<64xf32>
  %2 = math.log %1 : tensor<64xf32>
  %3 = math.erf %2 : tensor<64xf32>
  %4 = math.rsqrt %3 : tensor<64xf32>
  %5 = math.exp %4 fastmath<fast> : tensor<64xf32>
  %6 = math.log %5 fastmath<afn> : tensor<64xf32>
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %three = arith.constant dense<3.0> : tensor<64xf32>
  %7 = math.powf %6, %two : tensor<64xf32>
  %8 = math.powf %7, %three : tensor<64xf32>
  return %8 : tensor<64xf32>
}
