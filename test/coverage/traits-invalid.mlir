// What the traits of the `mesh` ops forbid: another element type, shape, rank or type, and rank 0.
// RUN: %mlir_opt %s --split-input-file --verify-diagnostics

mesh.mesh @m(shape = 2)
func.func @element_type(%a: tensor<4xf32>) {
  // expected-error@+1 {{same element type}}
  %0 = mesh.all_gather %a on @m mesh_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf64>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @shape(%a: tensor<4xf32>) {
  // expected-error@+1 {{same shape}}
  %0 = mesh.all_reduce %a on @m mesh_axes = [0] : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @rank(%a: tensor<4xf32>) {
  // expected-error@+1 {{different rank}}
  %0 = mesh.reduce_scatter %a on @m mesh_axes = [0] scatter_axis = 0 : tensor<4xf32> -> tensor<2x1xf32>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @rank_zero(%a: tensor<f32>) {
  // expected-error@+1 {{non-0-ranked}}
  %0 = mesh.shift %a on @m mesh_axes = [0] shift_axis = 0 offset = 1 : tensor<f32> -> tensor<f32>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @shift_shape(%a: tensor<4xf32>) {
  // expected-error@+1 {{same shape}}
  %0 = mesh.shift %a on @m mesh_axes = [0] shift_axis = 0 offset = 1 : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @broadcast_type(%x: tensor<2xi8>) {
  // expected-error@+1 {{same element type}}
  %0 = mesh.broadcast %x on @m mesh_axes = [0] root = [0] : (tensor<2xi8>) -> tensor<2xi16>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @broadcast_shape(%x: tensor<2xi8>) {
  // expected-error@+1 {{same shape}}
  %0 = mesh.broadcast %x on @m mesh_axes = [0] root = [0] : (tensor<2xi8>) -> tensor<3xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @reduce_shape(%x: tensor<2xi8>) {
  // expected-error@+1 {{same shape}}
  %0 = mesh.reduce %x on @m mesh_axes = [0] root = [0] : (tensor<2xi8>) -> tensor<3xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @send_type(%x: tensor<2xi8>) {
  // expected-error@+1 {{same shape}}
  %0 = mesh.send %x on @m mesh_axes = [0] destination = [0] : (tensor<2xi8>) -> tensor<3xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @recv_type(%x: tensor<2xi8>) {
  // expected-error@+1 {{same element type}}
  %0 = mesh.recv %x on @m mesh_axes = [0] source = [0] : (tensor<2xi8>) -> tensor<2xi16>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @gather_type(%x: tensor<4xi8>) {
  // expected-error@+1 {{same element type}}
  %0 = mesh.gather %x on @m mesh_axes = [0] gather_axis = 0 root = [0] : (tensor<4xi8>) -> tensor<8xi16>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @shard_type(%x: tensor<4xf32>) {
  %s = mesh.sharding @m split_axes = [[0]]
  // expected-error@+1 {{same type}}
  %0 = "mesh.shard"(%x, %s) : (tensor<4xf32>, !mesh.sharding) -> tensor<5xf32>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @memref_rank0(%x: memref<f32>) {
  // expected-error@+1 {{non-0-ranked}}
  %0 = mesh.update_halo %x on @m split_axes = [[0]] halo_sizes = [1, 1] : memref<f32>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @all_gather_of_rank_zero(%a: tensor<f32>) {
  // expected-error@+1 {{non-0-ranked}}
  %0 = mesh.all_gather %a on @m mesh_axes = [0] gather_axis = 0 : tensor<f32> -> tensor<f32>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @all_slice_of_rank_zero(%a: tensor<f32>) {
  // expected-error@+1 {{non-0-ranked}}
  %0 = mesh.all_slice %a on @m mesh_axes = [0] slice_axis = 0 : tensor<f32> -> tensor<f32>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @all_to_all_of_rank_zero(%a: tensor<f32>) {
  // expected-error@+1 {{non-0-ranked}}
  %0 = mesh.all_to_all %a on @m mesh_axes = [0] split_axis = 0 concat_axis = 0 : tensor<f32> -> tensor<f32>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @reduce_scatter_of_rank_zero(%a: tensor<f32>) {
  // expected-error@+1 {{non-0-ranked}}
  %0 = mesh.reduce_scatter %a on @m mesh_axes = [0] scatter_axis = 0 : tensor<f32> -> tensor<f32>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @gather_of_rank_zero(%a: tensor<f32>) {
  // expected-error@+1 {{non-0-ranked}}
  %0 = mesh.gather %a on @m mesh_axes = [0] gather_axis = 0 root = [0] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @scatter_of_rank_zero(%a: tensor<f32>) {
  // expected-error@+1 {{non-0-ranked}}
  %0 = mesh.scatter %a on @m mesh_axes = [0] scatter_axis = 0 root = [0] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @send_of_rank_zero(%a: tensor<f32>) {
  // expected-error@+1 {{non-0-ranked}}
  %0 = mesh.send %a on @m mesh_axes = [0] destination = [0] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @recv_of_rank_zero(%a: tensor<f32>) {
  // expected-error@+1 {{non-0-ranked}}
  %0 = mesh.recv %a on @m mesh_axes = [0] source = [0] : (tensor<f32>) -> tensor<f32>
  return
}
