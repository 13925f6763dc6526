// Shard offsets in the form that shard.sharding verifies: an axis of one device is left out, for it
// cuts nothing, but one axis stays where all have one device.
// REQUIRES: tessera-check
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-import-mesh)' | %stock_mlir_opt | FileCheck %s
// RUN: %tessera_check %s --entry first --seed 1
// RUN: %tessera_check %s --entry last --seed 1
// RUN: %tessera_check %s --entry between --seed 1
// RUN: %tessera_check %s --entry several --seed 1
// RUN: %tessera_check %s --entry alone --seed 1

mesh.mesh @g(shape = 1x3x1x2)

// CHECK-LABEL: func @first
// CHECK{LITERAL}: split_axes = [[1]] sharded_dims_offsets = [0, 1, 3, 12]
func.func @first(%x: tensor<12xf32>) -> tensor<12xf32> {
  %s = mesh.sharding @g split_axes = [[0, 1]] sharded_dims_offsets = [0, 1, 3, 12]
  %0 = mesh.shard %x to %s : tensor<12xf32>
  %1 = arith.addf %0, %0 : tensor<12xf32>
  return %1 : tensor<12xf32>
}

// CHECK-LABEL: func @last
// CHECK{LITERAL}: split_axes = [[], [1]] sharded_dims_offsets = [0, 4, 4, 5]
func.func @last(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %s = mesh.sharding @g split_axes = [[], [1, 2]] sharded_dims_offsets = [0, 4, 4, 5]
  %0 = mesh.shard %x to %s : tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// CHECK-LABEL: func @between
// CHECK{LITERAL}: split_axes = [[3, 1]] sharded_dims_offsets = [0, 1, 2, 4, 6, 7, 9]
func.func @between(%x: tensor<9xf32>) -> tensor<9xf32> {
  %s = mesh.sharding @g split_axes = [[3, 2, 1]] sharded_dims_offsets = [0, 1, 2, 4, 6, 7, 9]
  %0 = mesh.shard %x to %s : tensor<9xf32>
  %1 = math.tanh %0 : tensor<9xf32>
  return %1 : tensor<9xf32>
}

// CHECK-LABEL: func @several
// CHECK{LITERAL}: split_axes = [[1], [3]] sharded_dims_offsets = [0, 1, 3, 6, 0, 3, 4]
func.func @several(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %s = mesh.sharding @g split_axes = [[0, 1], [2, 3]] sharded_dims_offsets = [0, 1, 3, 6, 0, 3, 4]
  %0 = mesh.shard %x to %s : tensor<6x4xf32>
  %1 = arith.mulf %0, %0 : tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}

// CHECK-LABEL: func @alone
// CHECK{LITERAL}: split_axes = [[0], [3]] sharded_dims_offsets = [0, 6, 0, 1, 4]
func.func @alone(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %s = mesh.sharding @g split_axes = [[0, 2], [3]] sharded_dims_offsets = [0, 6, 0, 1, 4]
  %0 = mesh.shard %x to %s : tensor<6x4xf32>
  %1 = arith.mulf %0, %0 : tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}
