// Sizes that only the launch knows are arguments. The count of bytes of an allocation between two
// ops does not part them, and a size that the program asks for is the one of the memory.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.main
// CHECK: call @tessera.kernel.0(%{{.*}}) : (!llvm.ptr, !llvm.ptr, index) -> ()
// CHECK-NOT: tessera.kernel
// CHECK: return
func.func @main(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?x16xf32>) outs(%f : tensor<?xf32>)
    dimensions = [1]
  %o = tensor.empty(%n) : tensor<?x16xf32>
  %r = linalg.broadcast ins(%s : tensor<?xf32>) outs(%o : tensor<?x16xf32>) dimensions = [1]
  return %r : tensor<?x16xf32>
}

// CHECK: func.func private @tessera.kernel.0(%arg0: !llvm.ptr {llvm.noalias}, %arg1: !llvm.ptr {llvm.noalias}, %[[N:.*]]: index)
// CHECK: scf.for %{{.*}} to %[[N]]
