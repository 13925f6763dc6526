// Ops share no loop where one needs what another step of the other made, or may.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// Row i of the second is made from column i of the first.
// CHECK-LABEL: func.func @tessera.fn.crossing
// CHECK-COUNT-2: call @tessera.kernel.
func.func @crossing(%x: memref<8x8xf32>, %t: memref<8x8xf32>, %y: memref<8x8xf32>) {
  linalg.exp ins(%x : memref<8x8xf32>) outs(%t : memref<8x8xf32>)
  linalg.transpose ins(%t : memref<8x8xf32>) outs(%y : memref<8x8xf32>) permutation = [1, 0]
  return
}

// The second reads one element further.
// CHECK-LABEL: func.func @tessera.fn.shifted
// CHECK-COUNT-2: call @tessera.kernel.
func.func @shifted(%t: memref<9xf32>, %y: memref<8xf32>) {
  %a = memref.subview %t[0] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1]>>
  %b = memref.subview %t[1] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1], offset: 1>>
  linalg.exp ins(%y : memref<8xf32>) outs(%a : memref<8xf32, strided<[1]>>)
  linalg.exp ins(%b : memref<8xf32, strided<[1], offset: 1>>) outs(%y : memref<8xf32>)
  return
}

// What a block is given may be what was allocated in another block of the function.
// CHECK-LABEL: func.func @tessera.fn.of_blocks
// CHECK-COUNT-2: call @tessera.kernel.
func.func @of_blocks(%c: i1, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %s = scf.if %c -> memref<8xf32> {
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %y : memref<8xf32>
  }
  %b = memref.subview %s[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  %d = memref.subview %a[1] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1], offset: 1>>
  linalg.exp ins(%b : memref<7xf32, strided<[1]>>) outs(%d : memref<7xf32, strided<[1], offset: 1>>)
  linalg.exp ins(%d : memref<7xf32, strided<[1], offset: 1>>) outs(%b : memref<7xf32, strided<[1]>>)
  return
}

// Two arguments may be the same memory: no pointer is said to be apart.
// CHECK-LABEL: func.func private @tessera.kernel.0(%arg0: !llvm.ptr, %arg1: !llvm.ptr)
