// Each mistake that the verifiers of the `mesh` dialect know, with its message.
// RUN: %mlir_opt %s --split-input-file --verify-diagnostics

mesh.mesh @m(shape = 2x2)
func.func @unknown_mesh(%x: tensor<2x2xi8>) {
  // expected-error@+1 {{refers to @other, which is no mesh.mesh}}
  %0 = mesh.all_gather %x on @other mesh_axes = [1] gather_axis = 1 : tensor<2x2xi8> -> tensor<2x4xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @axis_outside(%x: tensor<2x2xi8>) {
  // expected-error@+1 {{names mesh axis 2, but @m has axes 0 to 1}}
  %0 = mesh.all_gather %x on @m mesh_axes = [2] gather_axis = 1 : tensor<2x2xi8> -> tensor<2x4xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @axis_negative(%x: tensor<2x2xi8>) {
  // expected-error@+1 {{names mesh axis -1, but @m has axes 0 to 1}}
  %0 = mesh.all_gather %x on @m mesh_axes = [-1] gather_axis = 1 : tensor<2x2xi8> -> tensor<2x4xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @axis_twice(%x: tensor<2x2xi8>) {
  // expected-error@+1 {{names mesh axis 1 twice}}
  %0 = mesh.all_reduce %x on @m mesh_axes = [1, 1] : tensor<2x2xi8> -> tensor<2x2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @gather_size(%x: tensor<2x2xi8>) {
  // expected-error@+1 {{needs a result of size 4 in dimension 1, not 5}}
  %0 = mesh.all_gather %x on @m mesh_axes = [1] gather_axis = 1 : tensor<2x2xi8> -> tensor<2x5xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @gather_other_dimension(%x: tensor<2x2xi8>) {
  // expected-error@+1 {{needs a result of size 2 in dimension 0, not 3}}
  %0 = mesh.all_gather %x on @m mesh_axes = [1] gather_axis = 1 : tensor<2x2xi8> -> tensor<3x4xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @gather_dynamic(%x: tensor<?x2xi8>) {
  // expected-error@+1 {{needs a result of size ? in dimension 0, not 4}}
  %0 = mesh.all_gather %x on @m mesh_axes = [1] gather_axis = 0 : tensor<?x2xi8> -> tensor<4x2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x?)
func.func @gather_dynamic_mesh(%x: tensor<2x2xi8>) {
  // expected-error@+1 {{needs a result of size ? in dimension 0, not 4}}
  %0 = mesh.all_gather %x on @m mesh_axes = [1] gather_axis = 0 : tensor<2x2xi8> -> tensor<4x2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @gather_axis(%x: tensor<2x2xi8>) {
  // expected-error@+1 {{has gather_axis 2 on a tensor of rank 2}}
  %0 = mesh.all_gather %x on @m mesh_axes = [1] gather_axis = 2 : tensor<2x2xi8> -> tensor<2x4xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @slice_uneven(%x: tensor<3x2xi8>) {
  // expected-error@+1 {{cannot split dimension 0 of size 3 evenly over 2 devices}}
  %0 = mesh.all_slice %x on @m mesh_axes = [1] slice_axis = 0 : tensor<3x2xi8> -> tensor<1x2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @reduce_scatter_as_printed(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{cannot split dimension 0 of size 3 evenly over 2 devices}}
  %0 = mesh.reduce_scatter %x on @m mesh_axes = [1] reduction = <max> scatter_axis = 0 : tensor<3x4xf32> -> tensor<1x4xf64>
  return
}

// -----

mesh.mesh @m(shape = 3)
func.func @all_to_all_split(%x: tensor<3x2xi8>) {
  // expected-error@+1 {{cannot split dimension 1 of size 2 evenly over 3 devices}}
  %0 = mesh.all_to_all %x on @m mesh_axes = [0] split_axis = 1 concat_axis = 0 : tensor<3x2xi8> -> tensor<9x1xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @root_length(%x: tensor<2xi8>) {
  // expected-error@+1 {{needs 1 coordinates in 'root', not 2}}
  %0 = mesh.broadcast %x on @m mesh_axes = [0] root = [0, 1] : (tensor<2xi8>) -> tensor<2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @root_outside(%x: tensor<2xi8>) {
  // expected-error@+1 {{has coordinate 2 in 'root' on mesh axis 0 of extent 2}}
  %0 = mesh.broadcast %x on @m mesh_axes = [0] root = [2] : (tensor<2xi8>) -> tensor<2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @destination_negative(%x: tensor<2xi8>) {
  // expected-error@+1 {{has coordinate -1 in 'destination' on mesh axis 0 of extent 2}}
  %0 = mesh.send %x on @m mesh_axes = [0] destination = [-1] : (tensor<2xi8>) -> tensor<2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @root_operands(%x: tensor<2xi8>, %i: index) {
  // expected-error@+1 {{needs one operand for each dynamic entry of 'root': 0, not 1}}
  %0 = "mesh.broadcast"(%x, %i) {mesh = @m, mesh_axes = array<i16: 0>, root = array<i64: 0>} : (tensor<2xi8>, index) -> tensor<2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x4)
func.func @shift_axis(%x: tensor<2xi8>) {
  // expected-error@+1 {{shifts along axis 1, which is not in 'mesh_axes'}}
  %0 = mesh.shift %x on @m mesh_axes = [0] shift_axis = 1 offset = 2 : tensor<2xi8> -> tensor<2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x4)
func.func @shape_results() {
  // expected-error@+1 {{needs 2 results, not 1}}
  %0 = mesh.mesh_shape @m : index
  return
}

// -----

mesh.mesh @m(shape = 2x4)
func.func @index_results() {
  // expected-error@+1 {{needs 1 results, not 2}}
  %0:2 = mesh.process_multi_index on @m axes = [1] : index, index
  return
}

// -----

mesh.mesh @m(shape = 2x4)
func.func @neighbors(%i: index) {
  // expected-error@+1 {{needs 2 coordinates of a device, not 1}}
  %0:2 = mesh.neighbors_linear_indices on @m[%i] split_axes = [1] : index, index
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @sharding_axis_twice() {
  // expected-error@+1 {{names mesh axis 0 twice}}
  %0 = mesh.sharding @m split_axes = [[0], [0]] : !mesh.sharding
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @sharding_partial_axis() {
  // expected-error@+1 {{names mesh axis 0 twice}}
  %0 = mesh.sharding @m split_axes = [[0]] partial = sum[0] : !mesh.sharding
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @sharding_generic() {
  // expected-error@+1 {{cannot be partial with reduction 'generic'}}
  %0 = mesh.sharding @m split_axes = [[0]] partial = generic[1] : !mesh.sharding
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @sharding_no_axes() {
  // expected-error@+1 {{needs both a reduction and axes to be partial}}
  %0 = "mesh.sharding"() {mesh = @m, split_axes = #mesh<axisarray[[0]]>, partial_type = #mesh.partial<sum>, operandSegmentSizes = array<i32: 0, 0>} : () -> !mesh.sharding
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @halo_and_offsets() {
  // expected-error@+1 {{cannot have both halo sizes and shard offsets}}
  %0 = mesh.sharding @m split_axes = [[0]] halo_sizes = [1, 1] sharded_dims_offsets = [0, 1, 2]
    : !mesh.sharding
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @halo_count() {
  // expected-error@+1 {{needs two halo sizes for each of 2 split dimensions, not 2 in all}}
  %0 = mesh.sharding @m split_axes = [[0], [1]] halo_sizes = [1, 1] : !mesh.sharding
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @halo_negative() {
  // expected-error@+1 {{has the negative halo size -1}}
  %0 = mesh.sharding @m split_axes = [[0]] halo_sizes = [1, -1] : !mesh.sharding
  return
}

// -----

mesh.mesh @m(shape = 4)
func.func @offsets_count() {
  // expected-error@+1 {{needs 5 shard offsets, not 4}}
  %0 = mesh.sharding @m split_axes = [[], [0]] sharded_dims_offsets = [0, 2, 5, 14]
    : !mesh.sharding
  return
}

// -----

mesh.mesh @m(shape = 4)
func.func @offsets_fall() {
  // expected-error@+1 {{has shard offsets that fall from 2 to 1}}
  %0 = mesh.sharding @m split_axes = [[], [0]] sharded_dims_offsets = [0, 2, 1, 9, 14]
    : !mesh.sharding
  return
}

// -----

mesh.mesh @m(shape = ?)
func.func @offsets_dynamic_mesh() {
  // expected-error@+1 {{cannot have shard offsets along mesh axes of dynamic extent}}
  %0 = mesh.sharding @m split_axes = [[0]] sharded_dims_offsets = [0, 2] : !mesh.sharding
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @update_halo_count(%x: tensor<4x4xi8>) {
  // expected-error@+1 {{needs two halo sizes for each of 2 split dimensions, not 2 in all}}
  %0 = mesh.update_halo %x on @m split_axes = [[0], [1]] halo_sizes = [1, 1] : tensor<4x4xi8>
  return
}

// -----

mesh.mesh @m(shape = 4)
func.func @shard_shape_results(%i: index) {
  %s = mesh.sharding @m split_axes = [[0]]
    : !mesh.sharding
  // expected-error@+1 {{needs one result for each of 2 dimensions, not 1}}
  %0 = mesh.shard_shape 8x8 %s %i : index
  return
}

// -----

// expected-error@+1 {{needs at least one axis}}
"mesh.mesh"() {sym_name = "m", shape = array<i64>} : () -> ()

// -----

// expected-error@+1 {{has the extent -3; extents are non-negative or dynamic}}
"mesh.mesh"() {sym_name = "m", shape = array<i64: -3>} : () -> ()

// -----

// expected-error@+1 {{has more devices than 64 bits can count}}
mesh.mesh @m(shape = 0x?x4294967296x4294967296)
func.func @devices(%x: tensor<4xi8>) {
  %0 = mesh.all_slice %x on @m mesh_axes = [2, 3] slice_axis = 0 : tensor<4xi8> -> tensor<?xi8>
  return
}

// -----

mesh.mesh @m(shape = 2)
func.func @reduction(%x: tensor<2xi8>) {
  // expected-error@+1 {{'most' is no kind of reduction}}
  %0 = mesh.all_reduce %x on @m mesh_axes = [0] reduction = <most> : tensor<2xi8> -> tensor<2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @multi_index_axis() {
  // expected-error@+1 {{names mesh axis 2, but @m has axes 0 to 1}}
  %0 = mesh.process_multi_index on @m axes = [2] : index
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @shape_axis() {
  // expected-error@+1 {{names mesh axis 2, but @m has axes 0 to 1}}
  %0 = mesh.mesh_shape @m axes = [2] : index
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @neighbors_axis(%i: index) {
  // expected-error@+1 {{names mesh axis 2, but @m has axes 0 to 1}}
  %0:2 = mesh.neighbors_linear_indices on @m[%i, %i] split_axes = [2] : index, index
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @neighbors_twice(%i: index) {
  // expected-error@+1 {{names mesh axis 1 twice}}
  %0:2 = mesh.neighbors_linear_indices on @m[%i, %i] split_axes = [1, 1] : index, index
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @scatter_shape(%x: tensor<4xi8>) {
  // expected-error@+1 {{needs a result of size 2 in dimension 0, not 3}}
  %0 = mesh.scatter %x on @m mesh_axes = [0] scatter_axis = 0 root = [0] : (tensor<4xi8>) -> tensor<3xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @scatter_axis(%x: tensor<4xi8>) {
  // expected-error@+1 {{has scatter_axis 1 on a tensor of rank 1}}
  %0 = mesh.scatter %x on @m mesh_axes = [0] scatter_axis = 1 root = [0] : (tensor<4xi8>) -> tensor<2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @gather_shape(%x: tensor<4xi8>) {
  // expected-error@+1 {{needs a result of size 8 in dimension 0, not 7}}
  %0 = mesh.gather %x on @m mesh_axes = [0] gather_axis = 0 root = [0] : (tensor<4xi8>) -> tensor<7xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @concat_axis(%x: tensor<4xi8>) {
  // expected-error@+1 {{has concat_axis 1 on a tensor of rank 1}}
  %0 = mesh.all_to_all %x on @m mesh_axes = [0] split_axis = 0 concat_axis = 1 : tensor<4xi8> -> tensor<4xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @negative_axis(%x: tensor<4xi8>) {
  // expected-error@+1 {{has slice_axis -1 on a tensor of rank 1}}
  %0 = mesh.all_slice %x on @m mesh_axes = [0] slice_axis = -1 : tensor<4xi8> -> tensor<2xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @halo_axis_outside(%x: tensor<4xi8>) {
  // expected-error@+1 {{names mesh axis 2, but @m has axes 0 to 1}}
  %0 = mesh.update_halo %x on @m split_axes = [[2]] halo_sizes = [1, 1] : tensor<4xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @halo_axis_twice(%x: tensor<4x4xi8>) {
  // expected-error@+1 {{names mesh axis 0 twice}}
  %0 = mesh.update_halo %x on @m split_axes = [[0], [0]] halo_sizes = [1, 1, 1, 1] : tensor<4x4xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @halo_rank(%x: tensor<4xi8>) {
  // expected-error@+1 {{has 2 lists of split axes for rank 1}}
  %0 = mesh.update_halo %x on @m split_axes = [[0], [1]] halo_sizes = [1, 1, 1, 1] : tensor<4xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @halo_negative_size(%x: tensor<4xi8>) {
  // expected-error@+1 {{has the negative halo size -1}}
  %0 = mesh.update_halo %x on @m split_axes = [[0]] halo_sizes = [-1, 1] : tensor<4xi8>
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @sharding_axis() {
  // expected-error@+1 {{names mesh axis 2, but @m has axes 0 to 1}}
  %0 = mesh.sharding @m split_axes = [[2]]
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @partial_axis() {
  // expected-error@+1 {{names mesh axis 2, but @m has axes 0 to 1}}
  %0 = mesh.sharding @m split_axes = [[0]] partial = sum[2]
  return
}

// -----

mesh.mesh @m(shape = 2x2)
func.func @shift_axis_none(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{shifts along axis 0, which is not in 'mesh_axes'}}
  %0 = mesh.shift %x on @m shift_axis = 0 offset = 1 : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
