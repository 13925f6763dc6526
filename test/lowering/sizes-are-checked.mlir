// Every extent that the run says is multiplied by the runtime before memory is allocated.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.two
// CHECK: %[[ROW:.*]] = llvm.mlir.constant(16384 : i64)
// CHECK: %[[ROWS:.*]] = llvm.call @tessera_rt_bytes(%{{.*}}, %[[ROW]], %{{.*}})
// CHECK: llvm.call @tessera_rt_bytes(%{{.*}}, %[[ROWS]], %{{.*}})
// CHECK: memref.alloc(%{{.*}}, %{{.*}}) {{.*}}: memref<?x?x4096xf32>
func.func @two(%n: index, %m: index) -> tensor<?x?x4096xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n, %m) : tensor<?x?x4096xf32>
  %r = linalg.fill ins(%one : f32) outs(%e : tensor<?x?x4096xf32>) -> tensor<?x?x4096xf32>
  return %r : tensor<?x?x4096xf32>
}
