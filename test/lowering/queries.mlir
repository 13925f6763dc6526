// Questions about the grid: constants where the grid tells, else calls.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

shard.grid @g(shape = 2x?x1)

// CHECK-LABEL: func.func @tessera.fn.shape
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[EXTENT:.*]] = llvm.call @tessera_rt_grid_extent(%{{.*}}, %{{.*}})
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[EXTENT]]
// CHECK: return %[[TWO]], %[[INDEX]], %[[ONE]]
func.func @shape() -> (index, index, index) {
  %s:3 = shard.grid_shape @g : index, index, index
  return %s#0, %s#1, %s#2 : index, index, index
}

// CHECK-LABEL: func.func @tessera.fn.place
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[AXIS:.*]] = llvm.mlir.constant(1 : i64)
// CHECK-DAG: llvm.call @tessera_rt_process_index(%{{.*}}, %[[AXIS]])
// CHECK-DAG: llvm.call @tessera_rt_process_linear_index(%{{.*}})
func.func @place() -> (index, index, index) {
  %i:2 = shard.process_multi_index on @g axes = [2, 1] : index, index
  %l = shard.process_linear_index on @g : index
  return %i#0, %i#1, %l : index, index, index
}
