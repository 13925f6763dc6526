// What the traits of the `mesh` ops forbid: another element type, shape or rank, and rank 0.
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
