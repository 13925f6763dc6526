// The indices of the documents' 10x20x30 mesh, as constants: too many devices to start.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-import-mesh,tessera-lower)' \
// RUN:   --mlir-print-local-scope | FileCheck %s

mesh.mesh @mesh(shape = 10x20x30)

// Device (1, 2, 3) has the neighbours (1, 1, 3) and (1, 3, 3) along axis 1.
// CHECK-LABEL: func.func @tessera.fn.neighbors
// CHECK-DAG: %[[DOWN:.*]] = arith.constant 633 : index
// CHECK-DAG: %[[UP:.*]] = arith.constant 693 : index
// CHECK: return %[[DOWN]], %[[UP]]
func.func @neighbors() -> (index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %idx:2 = mesh.neighbors_linear_indices on @mesh[%c1, %c2, %c3] split_axes = [1] : index, index
  return %idx#0, %idx#1 : index, index
}

// Device (0, 0, 3) has none before it along axis 0, nor (9, 19, 29) after it along all axes.
// CHECK-LABEL: func.func @tessera.fn.ends
// CHECK-DAG: %[[NONE:.*]] = arith.constant -1 : index
// CHECK-DAG: %[[NEXT:.*]] = arith.constant 603 : index
// CHECK-DAG: %[[LAST:.*]] = arith.constant 5998 : index
// CHECK: return %[[NONE]], %[[NEXT]], %[[LAST]], %[[NONE]]
func.func @ends() -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c19 = arith.constant 19 : index
  %c29 = arith.constant 29 : index
  %a:2 = mesh.neighbors_linear_indices on @mesh[%c0, %c0, %c3] split_axes = [0] : index, index
  %b:2 = mesh.neighbors_linear_indices on @mesh[%c9, %c19, %c29] split_axes = [0, 1, 2] : index, index
  return %a#0, %a#1, %b#0, %b#1 : index, index, index, index
}
