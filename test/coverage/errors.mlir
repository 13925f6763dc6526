// Reductions that an element type lacks, `generic`, and what upstream's verifier leaves open are errors at
// the op.
// RUN: %mlir_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tessera-lower)'

shard.grid @g(shape = 4)
func.func @generic_reduce(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{a generic reduction has no runtime operation}}
  %r = shard.reduce %a on @g grid_axes = [0] reduction = generic root = [0] : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @max_of_complex(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error@+1 {{reduction max has no meaning for complex<f32>}}
  %r = shard.all_reduce %a on @g grid_axes = [0] reduction = max : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// -----

shard.grid @g(shape = 4)
func.func @xor_of_floats(%a: tensor<4xf32>) -> tensor<1xf32> {
  // expected-error@+1 {{reduction bitwise_xor has no meaning for f32}}
  %r = shard.reduce_scatter %a on @g grid_axes = [0] reduction = bitwise_xor scatter_axis = 0 : tensor<4xf32> -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @average_of_booleans(%a: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error@+1 {{reduction average has no meaning for i1}}
  %r = shard.all_reduce %a on @g grid_axes = [0] reduction = average : tensor<4xi1> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----

shard.grid @g(shape = 4)
func.func @sum_of_small_floats(%a: tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN> {
  // expected-error@+1 {{reduction sum has no meaning for f8E4M3FN}}
  %r = shard.all_reduce %a on @g grid_axes = [0] : tensor<4xf8E4M3FN> -> tensor<4xf8E4M3FN>
  return %r : tensor<4xf8E4M3FN>
}

// -----

shard.grid @g(shape = 4)
func.func @unsigned_maximum_of_floats(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{reduction umax has no meaning for f32}}
  %r = shard.all_reduce %a on @g grid_axes = [0] reduction = max {tessera.reduction = "umax"} : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @integers_from_floats(%a: tensor<4xf32>) -> tensor<4xi64> {
  // expected-error@+1 {{no reduction from f32 to i64: the input's elements have no meaning in the result's type}}
  %r = shard.all_reduce %a on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// -----

shard.grid @g(shape = 2x2)
func.func @neighbours_along_no_axis(%a: index) -> (index, index) {
  // expected-error@+1 {{grid axis 4 is not one of @g's 2}}
  %r:2 = shard.neighbors_linear_indices on @g[%a, %a] split_axes = [4] : index, index
  return %r#0, %r#1 : index, index
}

// -----

shard.grid @g(shape = 2x2)
func.func @neighbours_of_no_device(%a: index) -> (index, index) {
  // expected-error@+1 {{a device of grid @g has 2 coordinates, not 1}}
  %r:2 = shard.neighbors_linear_indices on @g[%a] split_axes = [1] : index, index
  return %r#0, %r#1 : index, index
}

// -----

shard.grid @g(shape = 2x2)
func.func @neighbours_along_one_axis_twice(%a: index) -> (index, index) {
  // expected-error@+1 {{grid axis 1 of @g is named twice}}
  %r:2 = shard.neighbors_linear_indices on @g[%a, %a] split_axes = [1, 1] : index, index
  return %r#0, %r#1 : index, index
}

// -----

shard.grid @g(shape = 2x2)
func.func @halo_along_one_axis_twice(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{grid axis 0 of @g is named twice}}
  %r = shard.update_halo %a on @g split_axes = [[0], [0]] halo_sizes = [1, 1, 1, 1] : tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @halo_of_more_dimensions(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{2 lists of split axes for 1 dimensions}}
  %r = shard.update_halo %a on @g split_axes = [[0], [1]] halo_sizes = [1, 1, 1, 1] : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @negative_halo(%a: tensor<4xf32>, %n: i64) -> tensor<4xf32> {
  // expected-error@+1 {{halo size -1: expected at least 0}}
  %r = shard.update_halo %a on @g split_axes = [[0]] halo_sizes = [%n, -1] : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @split_and_joined_along_no_dimension(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{`split_axis` is -1, but the operand has 1 dimensions: expected 0 to 0}}
  %r = shard.all_to_all %a on @g grid_axes = [0] split_axis = -1 concat_axis = -1 : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @root_without_its_operand(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{`root` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many}}
  %r = shard.broadcast %a on @g grid_axes = [0] root = [-9223372036854775808] : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @source_that_none_asked_for(%a: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  // expected-error@+1 {{`source` leaves 0 of its numbers open (?), but has 1 operands for them: expected as many}}
  %r = "shard.recv"(%a, %i) {grid = @g, grid_axes = array<i16: 0>} : (tensor<4xf32>, index) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @device_without_its_operand() -> index {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // expected-error@+1 {{`device` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many}}
  %r = shard.shard_shape dims = [8] sharding = %s device = [0, -9223372036854775808] : index
  return %r : index
}

// -----

shard.grid @g(shape = 2x2)
func.func @offset_without_its_operand() -> index {
  // expected-error@+1 {{`static_sharded_dims_offsets` leaves 1 of its numbers open (?), but has 0 operands for them}}
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, -9223372036854775808, 8] : !shard.sharding
  %r = shard.shard_shape dims = [8] sharding = %s device = [0, 0] : index
  return %r : index
}

// -----

shard.grid @g(shape = 2x2)
func.func @more_extents_than_dimensions() -> (index, index) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // expected-error@+1 {{2 results, but `dims` has 1 numbers: expected as many}}
  %r:2 = shard.shard_shape dims = [8] sharding = %s device = [0, 0] : index, index
  return %r#0, %r#1 : index, index
}

// -----

shard.grid @g(shape = 2x2)
func.func @halo_along_no_axis(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{grid axis 3 is not one of @g's 2}}
  %r = shard.update_halo %a on @g split_axes = [[3]] halo_sizes = [1, 1] : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @halo_without_sizes(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{needs two halo sizes for each of 1 split dimensions, not 0 in all}}
  %r = shard.update_halo %a on @g split_axes = [[0]] : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @halo_with_one_size(%a: tensor<6x4xf32>) -> tensor<6x4xf32> {
  // expected-error@+1 {{needs two halo sizes for each of 1 split dimensions, not 1 in all}}
  %r = shard.update_halo %a on @g split_axes = [[], [0]] halo_sizes = [1] : tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @sum_of_odd_integers(%a: tensor<4xi24>) -> tensor<4xi24> {
  // expected-error@+1 {{element type i24 has no runtime representation}}
  %r = shard.all_reduce %a on @g grid_axes = [0] : tensor<4xi24> -> tensor<4xi24>
  return %r : tensor<4xi24>
}

// -----

shard.grid @g(shape = 4)
func.func private @vectors(%a: tensor<4xvector<3xf32>>) -> tensor<4xvector<3xf32>> {
  // expected-error@+1 {{element type vector<3xf32> has no runtime representation}}
  %r = shard.shift %a on @g grid_axes = [0] shift_axis = 0 offset = 1 rotate : tensor<4xvector<3xf32>> -> tensor<4xvector<3xf32>>
  return %r : tensor<4xvector<3xf32>>
}

// -----

shard.grid @g(shape = 4)
func.func @real_on_the_root(%a: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  // expected-error@+1 {{no reduction from complex<f32> to f32}}
  %r = shard.reduce %a on @g grid_axes = [0] root = [0] : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @integer_pieces(%a: tensor<8xf64>, %n: index) -> tensor<?xi32> {
  // expected-error@+1 {{no reduction from f64 to i32}}
  %r = tessera.reduce_scatter %a on @g grid_axes = [0] scatter_axis = 0 sizes(%n) : tensor<8xf64> -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// -----

shard.grid @g(shape = 4)
func.func @numbers_from_data(%a: tensor<4xf8E4M3FN>) -> tensor<4xf32> {
  // expected-error@+1 {{no reduction from f8E4M3FN to f32}}
  %r = shard.all_reduce %a on @g grid_axes = [0] : tensor<4xf8E4M3FN> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @negative_root(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error@+1 {{coordinate 0 of `root` is -1: expected at least 0}}
  %r = shard.broadcast %a on @g grid_axes = [0] root = [-1] : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @negative_source(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error@+1 {{coordinate 1 of `source` is -7: expected at least 0}}
  %r = shard.recv %a on @g grid_axes = [0, 1] source = [%n, -7] : (tensor<4xf32>, index) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Over no axes and of nothing, which upstream's canonicalization takes for copies.
shard.grid @g(shape = 2)
func.func @over_no_axes(%a: tensor<4xf16>, %b: tensor<0xf32>) -> (tensor<4xf16>, tensor<0xf32>) {
  // expected-error@+1 {{reduction bitwise_xor has no meaning for f16}}
  %r = shard.reduce %a on @g grid_axes = [] reduction = bitwise_xor root = [] : (tensor<4xf16>) -> tensor<4xf16>
  // expected-error@+1 {{a generic reduction has no runtime operation}}
  %s = shard.all_reduce %b on @g reduction = generic : tensor<0xf32> -> tensor<0xf32>
  return %r, %s : tensor<4xf16>, tensor<0xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @other_memory() {
  %a = memref.alloc() : memref<6xi32, 1>
  // expected-error@+1 {{`shard.update_halo` of memref<6xi32, 1>: expected a memref of up to 32 dimensions with strides, in the default memory space}}
  %u = shard.update_halo %a on @g split_axes = [[0]] halo_sizes = [2, 1] : memref<6xi32, 1>
  return
}
