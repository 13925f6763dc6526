// Sums of columns go through memory row by row: the loop over columns is innermost, in strips that
// stay in cache where rows are long.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK: %c64 = arith.constant 64
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c64
// CHECK: %c100 = arith.constant 100
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c100
// CHECK: arith.addf
func.func @short(%x: memref<64x100xf32>, %y: memref<100xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<64x100xf32>) outs(%y : memref<100xf32>)
    dimensions = [0]
  return
}

// The last strip is shorter.
// CHECK-LABEL: func.func private @tessera.kernel.1
// CHECK: scf.for %[[START:.*]] = %{{.*}} to %c5001 step %c2048
// CHECK: scf.for
// CHECK: %[[END:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %[[START]] to %[[END]] step
func.func @long(%x: memref<64x5001xf32>, %y: memref<5001xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<64x5001xf32>) outs(%y : memref<5001xf32>)
    dimensions = [0]
  return
}
