// Meshes and the questions about them, as the document writes them. Corrected where it has a
// misprint: `neighbors_linear_indices` has two results, and its mesh is @mesh0.
// RUN: %mlir_opt %s | FileCheck %s
// RUN: %mlir_opt %s | %mlir_opt | FileCheck %s
// RUN: %mlir_opt %s --mlir-print-op-generic | %mlir_opt | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-import-mesh)' \
// RUN:   | FileCheck %s --check-prefix=SHARD
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-import-mesh)' | %stock_mlir_opt

// CHECK: mesh.mesh @mesh0(shape = 4x8x12)
// SHARD: shard.grid @mesh0(shape = 4x8x12)
mesh.mesh @mesh0(shape = 4x8x12)
// CHECK: mesh.mesh @mesh1(shape = 4x?)
// SHARD: shard.grid @mesh1(shape = 4x?)
mesh.mesh @mesh1(shape = 4x?)
// CHECK: mesh.mesh @mesh2(shape = ?x4)
// SHARD: shard.grid @mesh2(shape = ?x4)
mesh.mesh @mesh2(shape = ?x4)
// CHECK: mesh.mesh @mesh3(shape = ?x?)
// SHARD: shard.grid @mesh3(shape = ?x?)
mesh.mesh @mesh3(shape = ?x?)
// CHECK: mesh.mesh @mesh4(shape = 2x?x4)
// SHARD: shard.grid @mesh4(shape = 2x?x4)
mesh.mesh @mesh4(shape = 2x?x4)
// CHECK: mesh.mesh @mesh(shape = 10x20x30)
mesh.mesh @mesh(shape = 10x20x30)

// CHECK-LABEL: func @questions
// SHARD-LABEL: func @questions
func.func @questions() -> (index, index, index) {
  // CHECK: mesh.mesh_shape @mesh1 : index, index
  // SHARD: shard.grid_shape @mesh1 : index, index
  %0:2 = mesh.mesh_shape @mesh1 : index, index
  // CHECK: mesh.mesh_shape @mesh0 axes = [2, 0] : index, index
  // SHARD: shard.grid_shape @mesh0 axes = [2, 0] : index, index
  %1:2 = mesh.mesh_shape @mesh0 axes = [2, 0] : index, index
  // CHECK: mesh.process_multi_index on @mesh0 : index, index, index
  // SHARD: shard.process_multi_index on @mesh0 : index, index, index
  %2:3 = mesh.process_multi_index on @mesh0 : index, index, index
  // CHECK: mesh.process_multi_index on @mesh0 axes = [1] : index
  // SHARD: shard.process_multi_index on @mesh0 axes = [1] : index
  %3 = mesh.process_multi_index on @mesh0 axes = [1] : index
  // CHECK: mesh.process_linear_index on @mesh : index
  // SHARD: shard.process_linear_index on @mesh : index
  %idx = mesh.process_linear_index on @mesh : index
  return %0#0, %2#2, %idx : index, index, index
}

// CHECK-LABEL: func @neighbors
// SHARD-LABEL: func @neighbors
func.func @neighbors() -> (index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  // CHECK: mesh.neighbors_linear_indices on @mesh[%c1, %c2, %c3] split_axes = [1] : index, index
  // SHARD: shard.neighbors_linear_indices on @mesh[%c1, %c2, %c3] split_axes = [1] : index, index
  %idx:2 = mesh.neighbors_linear_indices on @mesh[%c1, %c2, %c3] split_axes = [1] : index, index
  return %idx#0, %idx#1 : index, index
}
