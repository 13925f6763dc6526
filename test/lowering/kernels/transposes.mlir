// What crosses memory goes from tile to tile, of which the last ones may be smaller.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK: scf.for %[[I:.*]] = %{{.*}} step %c32
// CHECK: scf.for %[[J:.*]] = %{{.*}} step %c32
// CHECK: %[[I_END:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %[[I]] to %[[I_END]]
// CHECK: %[[J_END:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %[[J]] to %[[J_END]]
func.func @main(%x: memref<301x203xf32>, %y: memref<203x301xf32>) {
  linalg.transpose ins(%x : memref<301x203xf32>) outs(%y : memref<203x301xf32>) permutation = [1, 0]
  return
}
