// What upstream's `shard` ops trust their attributes to say, and its verifiers do not ask or read unasked, is an
// error of the compiler at the op, before they see it; what they and the verifiers of `mesh` do ask is left to
// them, and asked before any pass. `not` fails where the compiler crashes.
// REQUIRES: tesserac, tessera-check
// RUN: split-file %s %t
// RUN: not %tesserac %t/slice-negative.mlir --emit=propagated -o - 2>&1 | FileCheck %t/slice-negative.mlir
// RUN: not %tessera_check %t/slice-negative.mlir 2>&1 | FileCheck %t/slice-negative.mlir
// RUN: not %tesserac %t/slice-largest.mlir --emit=propagated -o - 2>&1 | FileCheck %t/slice-largest.mlir
// RUN: not %tesserac %t/split.mlir --emit=propagated -o - 2>&1 | FileCheck %t/split.mlir
// RUN: not %tesserac %t/concat.mlir --emit=propagated -o - 2>&1 | FileCheck %t/concat.mlir
// RUN: not %tesserac %t/reduce-scatter.mlir --emit=propagated -o - 2>&1 | FileCheck %t/reduce-scatter.mlir
// RUN: not %tesserac %t/scatter.mlir --emit=propagated -o - 2>&1 | FileCheck %t/scatter.mlir
// RUN: not %tesserac %t/nested-module.mlir --emit=propagated -o - 2>&1 | FileCheck %t/nested-module.mlir
// RUN: not %tesserac %t/offsets-of-no-axis.mlir --emit=propagated -o - 2>&1 | FileCheck %t/offsets-of-no-axis.mlir
// RUN: not %tesserac %t/offsets-of-another-grid.mlir --emit=propagated -o - 2>&1 | FileCheck %t/offsets-of-another-grid.mlir
// RUN: not %tesserac %t/no-devices.mlir --emit=propagated -o - 2>&1 | FileCheck %t/no-devices.mlir
// RUN: not %tesserac %t/devices-beyond-numbers.mlir --emit=propagated -o - 2>&1 | FileCheck %t/devices-beyond-numbers.mlir
// RUN: not %tesserac %t/no-root.mlir --emit=propagated -o - 2>&1 | FileCheck %t/no-root.mlir
// RUN: not %tesserac %t/no-gather-root.mlir --emit=propagated -o - 2>&1 | FileCheck %t/no-gather-root.mlir
// RUN: not %tesserac %t/no-reduce-root.mlir --emit=propagated -o - 2>&1 | FileCheck %t/no-reduce-root.mlir
// RUN: not %tesserac %t/no-scatter-root.mlir --emit=propagated -o - 2>&1 | FileCheck %t/no-scatter-root.mlir
// RUN: not %tesserac %t/no-source.mlir --emit=propagated -o - 2>&1 | FileCheck %t/no-source.mlir
// RUN: not %tesserac %t/no-destination.mlir --emit=propagated -o - 2>&1 | FileCheck %t/no-destination.mlir
// RUN: not %tesserac %t/no-halo-size.mlir --emit=propagated -o - 2>&1 | FileCheck %t/no-halo-size.mlir
// RUN: not %tesserac %t/no-offset.mlir --emit=propagated -o - 2>&1 | FileCheck %t/no-offset.mlir
// RUN: not %tesserac %t/no-extent.mlir --emit=propagated -o - 2>&1 | FileCheck %t/no-extent.mlir
// RUN: not %tesserac %t/no-coordinate.mlir --emit=propagated -o - 2>&1 | FileCheck %t/no-coordinate.mlir
// RUN: not %tesserac %t/results.mlir --emit=propagated -o - 2>&1 | FileCheck %t/results.mlir
// RUN: not %tesserac %t/operand-of-no-source.mlir --emit=propagated -o - 2>&1 | FileCheck %t/operand-of-no-source.mlir
// RUN: not %tesserac %t/upstream-dimension.mlir --emit=propagated -o - 2>&1 | FileCheck %t/upstream-dimension.mlir
// RUN: not %tesserac %t/upstream-no-operand.mlir --emit=propagated -o - 2>&1 | FileCheck %t/upstream-no-operand.mlir
// RUN: not %tesserac %t/upstream-no-attribute.mlir --emit=propagated -o - 2>&1 | FileCheck %t/upstream-no-attribute.mlir
// RUN: not %tesserac %t/upstream-attribute.mlir --emit=propagated -o - 2>&1 | FileCheck %t/upstream-attribute.mlir
// RUN: not %tesserac %t/upstream-scalar.mlir --emit=propagated -o - 2>&1 | FileCheck %t/upstream-scalar.mlir
// RUN: not %tesserac %t/mesh-no-attribute.mlir --emit=propagated -o - 2>&1 | FileCheck %t/mesh-no-attribute.mlir
// RUN: not %tesserac %t/upstream-grid.mlir --emit=propagated -o - 2>&1 | FileCheck %t/upstream-grid.mlir
// RUN: not %tesserac %t/upstream-name.mlir --emit=propagated -o - 2>&1 | FileCheck %t/upstream-name.mlir

//--- slice-negative.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `slice_axis` is -1, but the operand has 2 dimensions: expected 0 to 1{{$}}
  %r = shard.all_slice %a on @g grid_axes = [0] slice_axis = -1 : tensor<4x4xf32> -> tensor<?x?xf32>
  return
}

//--- slice-largest.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `slice_axis` is 9223372036854775807, but the operand has 2 dimensions: expected 0 to 1{{$}}
  %r = shard.all_slice %a on @g grid_axes = [0] slice_axis = 9223372036854775807 : tensor<4x4xf32> -> tensor<?x?xf32>
  return
}

//--- split.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `split_axis` is 65536, but the operand has 2 dimensions: expected 0 to 1{{$}}
  %r = shard.all_to_all %a on @g grid_axes = [0] split_axis = 65536 concat_axis = 0 : tensor<4x4xf32> -> tensor<?x?xf32>
  return
}

//--- concat.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `concat_axis` is 2, but the operand has 2 dimensions: expected 0 to 1{{$}}
  %r = shard.all_to_all %a on @g grid_axes = [0] split_axis = 0 concat_axis = 2 : tensor<4x4xf32> -> tensor<?x?xf32>
  return
}

//--- reduce-scatter.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `scatter_axis` is 32767, but the operand has 2 dimensions: expected 0 to 1{{$}}
  %r = shard.reduce_scatter %a on @g grid_axes = [0] scatter_axis = 32767 : tensor<4x4xf32> -> tensor<?x?xf32>
  return
}

//--- scatter.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `scatter_axis` is -9223372036854775808, but the operand has 2 dimensions: expected 0 to 1{{$}}
  %r = shard.scatter %a on @g grid_axes = [0] scatter_axis = -9223372036854775808 root = [0] : (tensor<4x4xf32>) -> tensor<?x?xf32>
  return
}

//--- nested-module.mlir
module @inner {
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `slice_axis` is 77777, but the operand has 2 dimensions: expected 0 to 1{{$}}
  %r = shard.all_slice %a on @g grid_axes = [0] slice_axis = 77777 : tensor<4x4xf32> -> tensor<?x?xf32>
  return
}
}

//--- offsets-of-no-axis.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: axis 32767 is outside grid @g, which has 2 axes{{$}}
  %s = shard.sharding @g split_axes = [[0], [32767]] sharded_dims_offsets = [0, 2, 4, 0, 2, 4] : !shard.sharding
  return
}

//--- offsets-of-another-grid.mlir
shard.grid @g(shape = 2x2)
module @inner {
shard.grid @g(shape = 2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: axis 1 is outside grid @g, which has 1 axes{{$}}
  %s = shard.sharding @g split_axes = [[1]] sharded_dims_offsets = [0, 2, 4] : !shard.sharding
  return
}
}

//--- no-devices.mlir
func.func @f(%a: tensor<4xf32>) {
  %r = shard.all_slice %a on @g grid_axes = [0] slice_axis = 0 : tensor<4xf32> -> tensor<?xf32>
  return
}
// CHECK: :[[#@LINE+1]]:1: error: axis 1 of grid @g has the extent 0: expected 1 or more, or ? where the launch decides{{$}}
shard.grid @g(shape = ?x0)

//--- devices-beyond-numbers.mlir
// CHECK: :[[#@LINE+1]]:1: error: grid @g has more devices than ranks can be: expected at most 2147483647{{$}}
shard.grid @g(shape = 4294967296x4294967296)
func.func @f(%a: tensor<4xf32>) {
  %r = shard.reduce_scatter %a on @g grid_axes = [0, 1] scatter_axis = 0 : tensor<4xf32> -> tensor<?xf32>
  return
}

//--- no-root.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `root` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many{{$}}
  %r = shard.broadcast %a on @g grid_axes = [0] root = [-9223372036854775808] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

//--- no-gather-root.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `root` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many{{$}}
  %r = shard.gather %a on @g grid_axes = [0] gather_axis = 0 root = [-9223372036854775808] : (tensor<4x4xf32>) -> tensor<?x4xf32>
  return
}

//--- no-reduce-root.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `root` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many{{$}}
  %r = shard.reduce %a on @g grid_axes = [0] root = [-9223372036854775808] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

//--- no-scatter-root.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `root` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many{{$}}
  %r = shard.scatter %a on @g grid_axes = [0] scatter_axis = 0 root = [-9223372036854775808] : (tensor<4x4xf32>) -> tensor<?x4xf32>
  return
}

//--- no-source.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `source` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many{{$}}
  %r = shard.recv %a on @g grid_axes = [0] source = [-9223372036854775808] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

//--- no-destination.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `destination` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many{{$}}
  %r = shard.send %a on @g grid_axes = [0] destination = [-9223372036854775808] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

//--- no-halo-size.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `static_halo_sizes` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many{{$}}
  %r = "shard.update_halo"(%a) {grid = @g, split_axes = #shard<axisarray[[0]]>, static_halo_sizes = array<i64: 1, -9223372036854775808>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

//--- no-offset.mlir
shard.grid @g(shape = 2x2)
func.func @f() {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `static_sharded_dims_offsets` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many{{$}}
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, -9223372036854775808, 4] : !shard.sharding
  return
}

//--- no-extent.mlir
shard.grid @g(shape = 2x2)
func.func @f() {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `dims` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many{{$}}
  %r = shard.shard_shape dims = [-9223372036854775808] sharding = %s device = [0, 0] : index
  return
}

//--- no-coordinate.mlir
shard.grid @g(shape = 2x2)
func.func @f() {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `device` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many{{$}}
  %r = shard.shard_shape dims = [8] sharding = %s device = [0, -9223372036854775808] : index
  return
}

//--- results.mlir
shard.grid @g(shape = 2x2)
func.func @f() {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 2 results, but `dims` has 1 numbers: expected as many{{$}}
  %r:2 = shard.shard_shape dims = [8] sharding = %s device = [0, 0] : index, index
  return
}

//--- operand-of-no-source.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>, %i: index) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: `source` leaves 0 of its numbers open (?), but has 1 operands for them: expected as many{{$}}
  %r = "shard.recv"(%a, %i) {grid = @g, grid_axes = array<i16: 0>} : (tensor<4x4xf32>, index) -> tensor<4x4xf32>
  return
}

//--- upstream-dimension.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: Gather axis 2 is out of bounds
  %r = shard.all_gather %a on @g grid_axes = [0] gather_axis = 2 : tensor<4x4xf32> -> tensor<?x?xf32>
  return
}

//--- upstream-no-operand.mlir
shard.grid @g(shape = 2x2)
func.func @f() {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'shard.all_slice' op requires a single operand
  %r = "shard.all_slice"() {grid = @g, grid_axes = array<i16: 0>, slice_axis = 5 : index} : () -> tensor<4x4xf32>
  return
}

//--- upstream-no-attribute.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'shard.all_slice' op requires attribute 'slice_axis'
  %r = "shard.all_slice"(%a) {grid = @g, grid_axes = array<i16: 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

//--- upstream-attribute.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'shard.all_slice' op attribute 'slice_axis' failed to satisfy constraint: index attribute
  %r = "shard.all_slice"(%a) {grid = @g, grid_axes = array<i16: 0>, slice_axis = 5 : i8} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

//--- upstream-scalar.mlir
shard.grid @g(shape = 2x2)
func.func @f(%a: f32) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'shard.all_slice' op operand #0 must be
  %r = "shard.all_slice"(%a) {grid = @g, grid_axes = array<i16: 0>, slice_axis = 5 : index} : (f32) -> f32
  return
}

//--- mesh-no-attribute.mlir
mesh.mesh @g(shape = 2x2)
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'mesh.all_slice' op requires attribute 'slice_axis'
  %r = "mesh.all_slice"(%a) {mesh = @g, mesh_axes = array<i16: 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

//--- upstream-grid.mlir
// CHECK: :[[#@LINE+1]]:1: error: 'shard.grid' op requires attribute 'shape'
"shard.grid"() {sym_name = "g"} : () -> ()
func.func @f(%a: tensor<4x4xf32>) {
  %s = shard.sharding @g split_axes = [[5]] sharded_dims_offsets = [0, 2, 4] : !shard.sharding
  return
}

//--- upstream-name.mlir
func.func @f(%a: tensor<4x4xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: Undefined required grid symbol "h".
  %s = shard.sharding @h split_axes = [[5]] sharded_dims_offsets = [0, 2, 4] : !shard.sharding
  return
}
