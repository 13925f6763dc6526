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
