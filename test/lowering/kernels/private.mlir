// Memory between the nests of a kernel becomes the kernel's own, a row of it, unless somebody else
// looks at it: through a view, after it, or in another block.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.own
// CHECK: memref.alloc() : memref<8xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.dealloc
// CHECK: call @tessera.kernel.0(%{{[^,]*}}, %{{[^,]*}})
// CHECK: return
func.func @own(%x: memref<8x4xf32>) -> memref<8xf32> {
  %y = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8x4xf32>
  linalg.exp ins(%x : memref<8x4xf32>) outs(%t : memref<8x4xf32>)
  linalg.reduce { arith.addf } ins(%t : memref<8x4xf32>) outs(%y : memref<8xf32>) dimensions = [1]
  return %y : memref<8xf32>
}

// CHECK-LABEL: func.func @tessera.fn.looked_at
// CHECK: memref.alloc() : memref<8x4xf32>
// CHECK: call @tessera.kernel.1(
// CHECK: memref.load
// CHECK: memref.dealloc
func.func @looked_at(%x: memref<8x4xf32>) -> (f32, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %y = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8x4xf32>
  %v = memref.subview %t[0, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<4xf32, strided<[1]>>
  linalg.exp ins(%x : memref<8x4xf32>) outs(%t : memref<8x4xf32>)
  linalg.reduce { arith.addf } ins(%t : memref<8x4xf32>) outs(%y : memref<8xf32>) dimensions = [1]
  %r = memref.load %v[%c0] : memref<4xf32, strided<[1]>>
  return %r, %y : f32, memref<8xf32>
}

// CHECK-LABEL: func.func @tessera.fn.elsewhere
// CHECK: memref.alloc() : memref<8x4xf32>
// CHECK: call @tessera.kernel.1(
// CHECK: scf.if
// CHECK: call @tessera.kernel.2(
// CHECK: memref.dealloc
func.func @elsewhere(%x: memref<8x4xf32>, %c: i1) -> memref<8xf32> {
  %y = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8x4xf32>
  linalg.exp ins(%x : memref<8x4xf32>) outs(%t : memref<8x4xf32>)
  linalg.reduce { arith.addf } ins(%t : memref<8x4xf32>) outs(%y : memref<8xf32>) dimensions = [1]
  scf.if %c {
    linalg.exp ins(%t : memref<8x4xf32>) outs(%x : memref<8x4xf32>)
  }
  return %y : memref<8xf32>
}

// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK: memref.alloca() {{.*}} : memref<4xf32>
