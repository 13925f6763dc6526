// Shardings and annotations as the document writes them, the type of a sharding left out as there.
// Corrected where it has a misprint: `[[0] split_axes = []]`, `$sharding1`, and an argument that
// has two types.
// RUN: %mlir_opt %s | FileCheck %s
// RUN: %mlir_opt %s | %mlir_opt | FileCheck %s
// RUN: %mlir_opt %s --mlir-print-op-generic | %mlir_opt | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-import-mesh)' \
// RUN:   | FileCheck %s --check-prefix=SHARD
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-import-mesh)' | %stock_mlir_opt

mesh.mesh @mesh0(shape = 2x2x4)
mesh.mesh @mesh1d_4(shape = 4)

// CHECK-LABEL: func @shardings
// SHARD-LABEL: func @shardings
func.func @shardings(%arg0: tensor<4x8xf32>, %arg1: tensor<4x14xf32>, %n: i64) {
  // CHECK{LITERAL}: mesh.sharding @mesh0 split_axes = [[]] : !mesh.sharding
  // SHARD{LITERAL}: shard.sharding @mesh0 split_axes = [[]] : !shard.sharding
  %sharding0 = mesh.sharding @mesh0 split_axes = [[]]
  // CHECK{LITERAL}: mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  // SHARD{LITERAL}: shard.sharding @mesh0 split_axes = [[0]] : !shard.sharding
  %sharding1 = mesh.sharding @mesh0 split_axes = [[0]]
  // CHECK{LITERAL}: mesh.sharding @mesh0 split_axes = [[0], []] partial = sum[1] : !mesh.sharding
  // SHARD{LITERAL}: shard.sharding @mesh0 split_axes = [[0], []] {tessera.partial = [[1, #shard<partial sum>]]}
  %sharding2 = mesh.sharding @mesh0 split_axes = [[0], []] partial = sum[1]
  // CHECK{LITERAL}: mesh.sharding @mesh0 split_axes = [[0]] partial = max[1] : !mesh.sharding
  // SHARD{LITERAL}: shard.sharding @mesh0 split_axes = [[0]] {tessera.partial = [[1, #shard<partial max>]]}
  %sharding3 = mesh.sharding @mesh0 split_axes = [[0]] partial = max[1]
  // CHECK: mesh.shard %arg0 to %{{.*}} : tensor<4x8xf32>
  // SHARD: shard.shard %arg0 to %{{.*}} : tensor<4x8xf32>
  %sharded0 = mesh.shard %arg0 to %sharding3 : tensor<4x8xf32>
  // CHECK{LITERAL}: mesh.sharding @mesh0 split_axes = [[0]] halo_sizes = [1, 2] : !mesh.sharding
  // SHARD{LITERAL}: shard.sharding @mesh0 split_axes = [[0]] halo_sizes = [1, 2] : !shard.sharding
  %halo_sharding = mesh.sharding @mesh0 split_axes = [[0]] halo_sizes = [1, 2]
  %sharded1 = mesh.shard %arg0 to %halo_sharding : tensor<4x8xf32>
  // CHECK{LITERAL}: mesh.sharding @mesh1d_4 split_axes = [[], [0]] sharded_dims_offsets = [0, 2, 5, 9, 14]
  // SHARD{LITERAL}: shard.sharding @mesh1d_4 split_axes = [[], [0]] sharded_dims_offsets = [0, 2, 5, 9, 14]
  %sharding4 = mesh.sharding @mesh1d_4 split_axes = [[], [0]] sharded_dims_offsets = [0, 2, 5, 9, 14]
  %sharded2 = mesh.shard %arg1 to %sharding4 : tensor<4x14xf32>
  // The 32x32x32 tensor of the text.
  // CHECK: sharded_dims_offsets = [0, 24, 32, 0, 20, 32]
  // SHARD: sharded_dims_offsets = [0, 24, 32, 0, 20, 32]
  %5 = mesh.sharding @mesh0 split_axes = [[0], [1]] sharded_dims_offsets = [0, 24, 32, 0, 20, 32]
  // CHECK: sharded_dims_offsets = [0, %arg2, 5, %arg2, 14]
  // SHARD: sharded_dims_offsets = [0, %arg2, 5, %arg2, 14]
  %6 = mesh.sharding @mesh1d_4 split_axes = [[], [0]] sharded_dims_offsets = [0, %n, 5, %n, 14]
  // CHECK: halo_sizes = [1, 2, %arg2, 3]
  // SHARD: halo_sizes = [1, 2, %arg2, 3]
  %7 = mesh.sharding @mesh0 split_axes = [[0], [1]] halo_sizes = [1, 2, %n, 3] : !mesh.sharding
  // CHECK: partial = min[1, 2] : !mesh.sharding
  // SHARD{LITERAL}: {tessera.partial = [[1, #shard<partial min>], [2, #shard<partial min>]]}
  %8 = mesh.sharding @mesh0 split_axes = [[0]] partial = <min>[1, 2] : !mesh.sharding
  return
}

// CHECK-LABEL: func @only_result_annotated
// SHARD-LABEL: func @only_result_annotated
func.func @only_result_annotated(%arg0 : tensor<4x8xf32>) -> () {
  %sharding = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  // CHECK: %sharding_annotated = mesh.shard %arg0 to %sharding : tensor<4x8xf32>
  // SHARD: %sharding_annotated = shard.shard %arg0 to %sharding : tensor<4x8xf32>
  %0 = mesh.shard %arg0 to %sharding : tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @only_operand_annotated
// SHARD-LABEL: func @only_operand_annotated
func.func @only_operand_annotated(%arg0 : tensor<4x8xf32>) -> () {
  %sharding = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  // CHECK: mesh.shard %arg0 to %sharding annotate_for_users : tensor<4x8xf32>
  // SHARD: shard.shard %arg0 to %sharding annotate_for_users : tensor<4x8xf32>
  %0 = mesh.shard %arg0 to %sharding annotate_for_users : tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @two_operands_annotated
// SHARD-LABEL: func @two_operands_annotated
func.func @two_operands_annotated(%arg0 : tensor<4x8xf32>, %arg1 : tensor<16x8xf32>) -> () {
  %sharding = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding annotate_for_users : tensor<4x8xf32>
  // SHARD: shard.shard %arg1 to %sharding annotate_for_users : tensor<16x8xf32>
  %1 = mesh.shard %arg1 to %sharding annotate_for_users : tensor<16x8xf32>
  return
}

// CHECK-LABEL: func @both_result_and_multi_operands_annotated
// SHARD-LABEL: func @both_result_and_multi_operands_annotated
func.func @both_result_and_multi_operands_annotated(
    %arg0 : tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %sharding = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  // SHARD: %[[DEF:.*]] = shard.shard %arg0
  %0 = mesh.shard %arg0 to %sharding : tensor<4x8xf32>
  %sharding1 = mesh.sharding @mesh0 split_axes = [[1]] : !mesh.sharding
  // SHARD: shard.shard %[[DEF]] to %{{.*}} annotate_for_users
  %1 = mesh.shard %0 to %sharding1 annotate_for_users : tensor<4x8xf32>
  %sharding2 = mesh.sharding @mesh0 split_axes = [[2]] : !mesh.sharding
  // SHARD: shard.shard %[[DEF]] to %{{.*}} annotate_for_users
  %2 = mesh.shard %0 to %sharding2 annotate_for_users : tensor<4x8xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// What the document calls undefined still parses and is imported; a later pass judges it.
// CHECK-LABEL: func @annotate_on_same_result_with_different_sharding
func.func @annotate_on_same_result_with_different_sharding(%arg0 : tensor<4x8xf32>) -> () {
  %sharding1 = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %sharding2 = mesh.sharding @mesh0 split_axes = [[1]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding1 : tensor<4x8xf32>
  %1 = mesh.shard %0 to %sharding2 : tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @annotate_on_same_result_same_value_with_different_sharding
func.func @annotate_on_same_result_same_value_with_different_sharding(
    %arg0 : tensor<4x8xf32>) -> () {
  %sharding1 = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %sharding2 = mesh.sharding @mesh0 split_axes = [[1]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding1 : tensor<4x8xf32>
  %1 = mesh.shard %arg0 to %sharding2 : tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @annotate_on_same_operand_with_different_sharding
func.func @annotate_on_same_operand_with_different_sharding(%arg0 : tensor<4x8xf32>) -> () {
  %sharding1 = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %sharding2 = mesh.sharding @mesh0 split_axes = [[1]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding1 annotate_for_users : tensor<4x8xf32>
  %1 = mesh.shard %0 to %sharding2 annotate_for_users : tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @result_annotated_after_operand
func.func @result_annotated_after_operand(%arg0 : tensor<4x8xf32>) -> () {
  %sharding1 = mesh.sharding @mesh0 split_axes = [[0]] : !mesh.sharding
  %sharding2 = mesh.sharding @mesh0 split_axes = [[1]] : !mesh.sharding
  %0 = mesh.shard %arg0 to %sharding1 annotate_for_users : tensor<4x8xf32>
  %1 = mesh.shard %0 to %sharding2 : tensor<4x8xf32>
  return
}

// A device's linear index becomes its coordinates: 2x2x4, row-major.
// CHECK-LABEL: func @shard_shape
// SHARD-LABEL: func @shard_shape
func.func @shard_shape(%device: index) -> (index, index) {
  %sharding = mesh.sharding @mesh0 split_axes = [[0], [2]] : !mesh.sharding
  // CHECK: mesh.shard_shape 32x16 %sharding %arg0 : index, index
  // SHARD: %[[EXTENT:.*]]:3 = shard.grid_shape @mesh0 : index, index, index
  // SHARD: %[[Z:.*]] = arith.remui %arg0, %[[EXTENT]]#2
  // SHARD: %[[REST:.*]] = arith.divui %arg0, %[[EXTENT]]#2
  // SHARD: %[[Y:.*]] = arith.remui %[[REST]], %[[EXTENT]]#1
  // SHARD: %[[X:.*]] = arith.divui %[[REST]], %[[EXTENT]]#1
  // SHARD: shard.shard_shape dims = [32, 16] sharding = %sharding device = [%[[X]], %[[Y]], %[[Z]]] : index, index
  %0:2 = mesh.shard_shape 32x16 %sharding %device : index, index
  return %0#0, %0#1 : index, index
}
