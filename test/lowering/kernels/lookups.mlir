// Bodies that look into memory stay alone, since they may look at anything: memory that they look
// into is passed whole, and no pointer to it is said to be apart.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.main
// CHECK: call @tessera.kernel.0
// CHECK: call @tessera.kernel.1
// CHECK: call @tessera.kernel.0
func.func @main(%x: memref<8xf32>, %i: memref<8xindex>, %y: memref<8xf32>) {
  linalg.exp ins(%y : memref<8xf32>) outs(%x : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>],
                  iterator_types = ["parallel"]}
      ins(%i : memref<8xindex>) outs(%y : memref<8xf32>) {
  ^bb0(%at: index, %out: f32):
    %v = memref.load %x[%at] : memref<8xf32>
    linalg.yield %v : f32
  }
  linalg.exp ins(%y : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}

// CHECK: func.func private @tessera.kernel.1(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[X:.*]]: memref<8xf32>)
// CHECK: memref.load %[[X]][%{{.*}}] : memref<8xf32>
