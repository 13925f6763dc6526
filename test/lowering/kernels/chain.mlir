// Elementwise ops in a row that fusion leaves apart, because a value between them is used twice, go
// through memory once: one loop over all elements, and the value between in a register's place.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.chain
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: call @tessera.kernel.0
// CHECK-NOT: tessera.kernel
// CHECK: return
func.func @chain(%x: memref<16x8xf32>) -> memref<16x8xf32> {
  %y = memref.alloc() : memref<16x8xf32>
  %t = memref.alloc() : memref<16x8xf32>
  linalg.exp ins(%x : memref<16x8xf32>) outs(%t : memref<16x8xf32>)
  linalg.add ins(%t, %x : memref<16x8xf32>, memref<16x8xf32>) outs(%y : memref<16x8xf32>)
  linalg.mul ins(%t, %y : memref<16x8xf32>, memref<16x8xf32>) outs(%y : memref<16x8xf32>)
  return %y : memref<16x8xf32>
}

// CHECK: func.func private @tessera.kernel.0
// CHECK: memref.alloca() {{.*}} : memref<1xf32>
// CHECK: %c128 = arith.constant 128
// CHECK: scf.for %{{.*}} to %c128
// CHECK-NOT: scf.for
// CHECK: return
