// Gathers and scatters by lists of places: a split table is looked up by each device and summed once;
// where slices are split with the table, or a device writes what lies in its piece, nothing moves.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' | FileCheck %s --implicit-check-not=shard.all_ --implicit-check-not=tessera.all_ --implicit-check-not=exchange
shard.grid @g(shape = 4)

// Rows of a table split along rows: one sum of the slices, not the table.
// CHECK-LABEL: @table_split
// CHECK: cf.assert
// CHECK: arith.select
// CHECK: shard.all_reduce {{.*}} : tensor<3x8xf32> -> tensor<3x8xf32>
func.func @table_split(%table: tensor<32x8xf32>, %at: tensor<3x1xi32>) -> tensor<3x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %t = shard.shard %table to %rows : tensor<32x8xf32>
  %p = shard.shard %at to %whole : tensor<3x1xi32>
  %r = tensor.gather %t[%p] gather_dims([0]) : (tensor<32x8xf32>, tensor<3x1xi32>) -> tensor<3x8xf32>
  %s = shard.shard %r to %whole : tensor<3x8xf32>
  return %s : tensor<3x8xf32>
}

// CHECK-LABEL: @columns_split
// CHECK: linalg.generic
// CHECK: -> tensor<3x1x2xf32>
func.func @columns_split(%table: tensor<32x8xf32>, %at: tensor<3x1xi32>) -> tensor<3x1x8xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %t = shard.shard %table to %columns : tensor<32x8xf32>
  %r = tensor.gather %t[%at] gather_dims([0]) : (tensor<32x8xf32>, tensor<3x1xi32>) -> tensor<3x1x8xf32>
  return %r : tensor<3x1x8xf32>
}

// CHECK-LABEL: @places_split
// CHECK: linalg.generic
// CHECK: -> tensor<2x8xf32>
func.func @places_split(%table: tensor<32x8xf32>, %at: tensor<8x1xi32>) -> tensor<8x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %p = shard.shard %at to %rows : tensor<8x1xi32>
  %r = tensor.gather %table[%p] gather_dims([0]) : (tensor<32x8xf32>, tensor<8x1xi32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// Each device writes what it has, if it has it; the slices are everywhere.
// CHECK-LABEL: @written_rows
// CHECK: scf.for
// CHECK: cf.assert
// CHECK: scf.if
// CHECK: tensor.insert {{.*}} : tensor<8x8xf32>
func.func @written_rows(%table: tensor<32x8xf32>, %rows_in: tensor<3x8xf32>, %at: tensor<3x1xi32>) -> tensor<32x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.shard %table to %rows : tensor<32x8xf32>
  %r = tensor.scatter %rows_in into %t[%at] scatter_dims([0]) unique : (tensor<3x8xf32>, tensor<32x8xf32>, tensor<3x1xi32>) -> tensor<32x8xf32>
  return %r : tensor<32x8xf32>
}

// CHECK-LABEL: @written_columns
// CHECK: tensor.scatter {{.*}} : (tensor<3x2xf32>, tensor<32x2xf32>, tensor<3x1xi32>) -> tensor<32x2xf32>
func.func @written_columns(%table: tensor<32x8xf32>, %rows_in: tensor<3x8xf32>, %at: tensor<3x1xi32>) -> tensor<32x8xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %t = shard.shard %table to %columns : tensor<32x8xf32>
  %r = tensor.scatter %rows_in into %t[%at] scatter_dims([0]) unique : (tensor<3x8xf32>, tensor<32x8xf32>, tensor<3x1xi32>) -> tensor<32x8xf32>
  return %r : tensor<32x8xf32>
}

// One element of a split tensor is written by the device that has it.
// CHECK-LABEL: @element
// CHECK: tensor.insert_slice
// CHECK: return {{.*}} : tensor<8x8xf32>
func.func @element(%table: tensor<32x8xf32>, %v: f32, %i: index) -> tensor<32x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.shard %table to %rows : tensor<32x8xf32>
  %r = tensor.insert %v into %t[%i, %i] : tensor<32x8xf32>
  return %r : tensor<32x8xf32>
}
