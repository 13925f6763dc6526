// Equal kernels are one function, whatever is given to them; another size is another kernel.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.main
// CHECK: call @tessera.kernel.0(
// CHECK: call @tessera.kernel.0(
// CHECK: call @tessera.kernel.1(
// CHECK: func.func private @tessera.kernel.0({{.*}}) attributes {llvm.linkage = #llvm.linkage<internal>
// CHECK: func.func private @tessera.kernel.1(
// CHECK-NOT: @tessera.kernel.2
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<9xf32>) {
  linalg.exp ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
  linalg.exp ins(%y : memref<8xf32>) outs(%y : memref<8xf32>)
  linalg.exp ins(%z : memref<9xf32>) outs(%z : memref<9xf32>)
  return
}
