// A program's own cast of strided memory to contiguous memory of run-time sizes is a view: what is
// written through it stays. Where bufferization makes such a cast, the memory is copied.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.own
// CHECK: %[[VIEW:.*]] = memref.subview
// CHECK: %[[CAST:.*]] = memref.cast %[[VIEW]] : memref<?x?xf64, strided<[?, 1]>> to memref<?x?xf64>
// CHECK: call @tessera.fn.put(%[[CAST]])
func.func @own(%n: index, %k: index) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %m = memref.alloc(%n, %k) : memref<?x?xf64>
  linalg.fill ins(%zero : f64) outs(%m : memref<?x?xf64>)
  %v = memref.subview %m[0, 0] [%n, %k] [1, 1]
    : memref<?x?xf64> to memref<?x?xf64, strided<[?, 1]>>
  %c = memref.cast %v : memref<?x?xf64, strided<[?, 1]>> to memref<?x?xf64>
  func.call @put(%c) : (memref<?x?xf64>) -> ()
  %r = memref.load %m[%c0, %c0] : memref<?x?xf64>
  return %r : f64
}

func.func private @put(%c: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  memref.store %one, %c[%c0, %c0] : memref<?x?xf64>
  return
}

// CHECK-LABEL: func.func @tessera.fn.of_tensors
// CHECK: %[[SLICE:.*]] = memref.subview
// CHECK: %[[COPY:.*]] = memref.alloc
// CHECK-DAG: %[[FROM:.*]] = builtin.unrealized_conversion_cast %[[SLICE]]
// CHECK-DAG: %[[TO:.*]] = builtin.unrealized_conversion_cast %[[COPY]]
// CHECK: call @tessera.kernel.
// CHECK: call @tessera.fn.read(%[[COPY]])
func.func @of_tensors(%x: tensor<?x8xf64>, %n: index, %k: index) -> f64 {
  %s = tensor.extract_slice %x[0, 0] [%n, %k] [1, 1] : tensor<?x8xf64> to tensor<?x?xf64>
  %r = func.call @read(%s) : (tensor<?x?xf64>) -> f64
  return %r : f64
}

func.func private @read(%c: tensor<?x?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %r = tensor.extract %c[%c0, %c0] : tensor<?x?xf64>
  return %r : f64
}

// CHECK-NOT: tessera.view
