// What tessera-import-mesh cannot turn into `shard`: a located error each.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-import-mesh)' \
// RUN:   --split-input-file --verify-diagnostics

mesh.mesh @m(shape = 4)
func.func @dynamic_shape(%i: index) -> index {
  %s = mesh.sharding @m split_axes = [[0]] : !mesh.sharding
  // expected-error@+1 {{'mesh.shard_shape' op cannot be imported with '?' in its shape}}
  %0 = mesh.shard_shape ? %s %i : index
  return %0 : index
}

// -----

mesh.mesh @m(shape = 4)
func.func @through_select(%c: i1, %x: tensor<8xf32>) -> tensor<8xf32> {
  %s = mesh.sharding @m split_axes = [[0]] : !mesh.sharding
  %r = mesh.sharding @m split_axes = [[]] : !mesh.sharding
  // expected-error@+1 {{a '!mesh.sharding' passes through this op}}
  %t = arith.select %c, %s, %r : !mesh.sharding
  %0 = mesh.shard %x to %t : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error@+1 {{a '!mesh.sharding' passes through this op}}
func.func @argument(%s: !mesh.sharding, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mesh.shard %x to %s : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

mesh.mesh @m(shape = ?x4)
func.func @offsets_of_the_launch(%x: tensor<12xf32>) -> tensor<12xf32> {
  // expected-error@+1 {{'mesh.sharding' op has shard offsets on a mesh with an extent of '?', where 'shard.sharding' takes none: expected a mesh of known extents}}
  %s = mesh.sharding @m split_axes = [[1]] sharded_dims_offsets = [0, 1, 3, 6, 12]
  %0 = mesh.shard %x to %s : tensor<12xf32>
  return %0 : tensor<12xf32>
}

// -----

mesh.mesh @m(shape = 2x3x2)
func.func @offsets_counted_wrong(%x: tensor<12x4xf32>) -> tensor<12x4xf32> {
  // expected-error@+1 {{'mesh.sharding' op has shard offsets of a dimension that is split over several axes before those of another dimension}}
  %s = mesh.sharding @m split_axes = [[0, 1], [2]] sharded_dims_offsets = [0, 1, 2, 3, 4, 5, 12, 0, 1, 4]
  %0 = mesh.shard %x to %s : tensor<12x4xf32>
  return %0 : tensor<12x4xf32>
}
