// Entries are the public functions, or those named; a function without layouts is that of one device.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower{entry=second})' | FileCheck %s --check-prefix=ONE
// RUN: not %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower{entry=third})' 2>&1 | FileCheck %s --check-prefix=NONE

// Layout words: rank 1; 4 long, one factor of 4 over one axis, 0; no halo, no offsets; not partial.
// CHECK-DAG: dense<[1, 4, 1, 4, 1, 0, 0, 0, 0]> : tensor<9xi64>
// CHECK-DAG: dense<[0.000000e+00, 2.500000e+00]> : tensor<2xf64>
// CHECK-DAG: "of_second\00"
// CHECK: llvm.func internal @tessera.entry.first
// CHECK: llvm.func internal @tessera.entry.second
// ONE-NOT: @tessera.entry.first
// ONE: llvm.func internal @tessera.entry.second
// NONE: error: no public function with a body is called "third"
shard.grid @g(shape = 2)
func.func @first(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @second(%a: tensor<2xf32> {tessera.layout = {grid = @g, global = tensor<4xf32>, factors = [[[4, [0]]]]}, tessera.range = [0, 2.5], tessera.name = "of_second"}) -> f32 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a[%c0] : tensor<2xf32>
  return %x : f32
}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>

