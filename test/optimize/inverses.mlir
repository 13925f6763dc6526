// A gather of a slice is nothing where all members have cut the same, and a slice of a gather is
// nothing; of more axes the rest stays. Over other axes of other dimensions both may lie between.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize{inverses=false})' | FileCheck %s --check-prefix=OFF
shard.grid @g(shape = 2x2)

// CHECK-LABEL: func.func @same
// CHECK-NEXT: return %arg0
// OFF-LABEL: func.func @same
// OFF: shard.all_gather
func.func @same(%x: tensor<8xf32> {tessera.layout = {grid = @g, global = tensor<8xf32>, factors = [[[8, []]]]}}) -> tensor<8xf32> {
  %a = shard.all_slice %x on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  %b = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// What differs between the members is not put together again.
// CHECK-LABEL: func.func @differs
// CHECK: shard.all_slice
// CHECK: shard.all_gather
func.func @differs(%x: tensor<8xf32> {tessera.layout = {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]]}}) -> tensor<8xf32> {
  %a = shard.all_slice %x on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  %b = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// What is known of an argument is what its layout says.
// CHECK-LABEL: func.func @unknown
// CHECK: shard.all_gather
func.func @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = shard.all_slice %x on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  %b = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// Along the other axis all devices may differ.
// CHECK-LABEL: func.func @after_product
// CHECK: shard.all_gather
// CHECK: linalg.matmul
// CHECK-NOT: shard.all
// CHECK: return
func.func @after_product(%x: tensor<4x4xf32>) -> tensor<8x8xf32> {
  %w = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<4x4xf32> -> tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%w, %w : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = shard.all_slice %y on @g grid_axes = [0] slice_axis = 1 : tensor<8x8xf32> -> tensor<8x4xf32>
  %b = shard.all_gather %a on @g grid_axes = [0] gather_axis = 1 : tensor<8x4xf32> -> tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @slice_of_gather
// CHECK-NEXT: return %arg0
func.func @slice_of_gather(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %b = shard.all_slice %a on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// CHECK-LABEL: func.func @outer_axis_cut
// CHECK-NEXT: shard.all_gather %arg0 on @g grid_axes = [1] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
// CHECK-NEXT: return
func.func @outer_axis_cut(%x: tensor<4xf32>) -> tensor<8xf32> {
  %a = shard.all_gather %x on @g grid_axes = [0, 1] gather_axis = 0 : tensor<4xf32> -> tensor<16xf32>
  %b = shard.all_slice %a on @g grid_axes = [0] slice_axis = 0 : tensor<16xf32> -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// The inner axis cuts other rows than were joined last.
// CHECK-LABEL: func.func @inner_axis_cut
// CHECK: shard.all_gather {{.*}} grid_axes = [0, 1]
// CHECK: shard.all_slice {{.*}} grid_axes = [1]
func.func @inner_axis_cut(%x: tensor<4xf32>) -> tensor<8xf32> {
  %a = shard.all_gather %x on @g grid_axes = [0, 1] gather_axis = 0 : tensor<4xf32> -> tensor<16xf32>
  %b = shard.all_slice %a on @g grid_axes = [1] slice_axis = 0 : tensor<16xf32> -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// CHECK-LABEL: func.func @cut_further
// CHECK-NEXT: shard.all_slice %arg0 on @g grid_axes = [1] slice_axis = 0 : tensor<4xf32> -> tensor<2xf32>
// CHECK-NEXT: return
func.func @cut_further(%x: tensor<4xf32>) -> tensor<2xf32> {
  %a = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %b = shard.all_slice %a on @g grid_axes = [0, 1] slice_axis = 0 : tensor<8xf32> -> tensor<2xf32>
  return %b : tensor<2xf32>
}

// CHECK-LABEL: func.func @two_dimensions
// CHECK-NOT: shard.all
// CHECK: return
func.func @two_dimensions(%x: tensor<8x8xf32> {tessera.layout = {grid = @g, global = tensor<8x8xf32>, factors = [[[8, []]], [[8, []]]]}}) -> tensor<8x8xf32> {
  %a = shard.all_slice %x on @g grid_axes = [0] slice_axis = 0 : tensor<8x8xf32> -> tensor<4x8xf32>
  %b = shard.all_slice %a on @g grid_axes = [1] slice_axis = 1 : tensor<4x8xf32> -> tensor<4x4xf32>
  %c = shard.all_gather %b on @g grid_axes = [0] gather_axis = 0 : tensor<4x4xf32> -> tensor<8x4xf32>
  %d = shard.all_gather %c on @g grid_axes = [1] gather_axis = 1 : tensor<8x4xf32> -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// A function that asks no device who it is gives the same to all.
// CHECK-LABEL: func.func @through_call
// CHECK: call @plain
// CHECK-NOT: shard.all_gather
// CHECK: call @apart
// CHECK: shard.all_gather
func.func @through_call(%x: tensor<8xf32> {tessera.layout = {grid = @g, global = tensor<8xf32>, factors = [[[8, []]]]}}) -> tensor<8xf32> {
  %p = func.call @plain(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %a = shard.all_slice %p on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  %b = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  %q = func.call @apart(%b) : (tensor<8xf32>) -> tensor<8xf32>
  %c = shard.all_slice %q on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  %d = shard.all_gather %c on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  return %d : tensor<8xf32>
}
func.func private @plain(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = math.exp %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func private @apart(%x: tensor<8xf32>) -> tensor<8xf32> {
  %i = shard.process_linear_index on @g : index
  %j = arith.index_cast %i : index to i32
  %f = arith.sitofp %j : i32 to f32
  %s = tensor.splat %f : tensor<8xf32>
  %y = arith.addf %x, %s : tensor<8xf32>
  return %y : tensor<8xf32>
}
