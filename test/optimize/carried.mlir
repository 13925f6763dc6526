// What a loop gathers and cuts again in each trip is carried whole, and what it cuts and gathers, in
// pieces: the gather is done once.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize{carried=false})' | FileCheck %s --check-prefix=OFF
shard.grid @g(shape = 2x2)

// CHECK-LABEL: func.func @whole
// CHECK: %[[FIRST:.*]] = shard.all_gather %arg0
// CHECK: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %[[FIRST]]) -> (tensor<8xf32>)
// CHECK-NEXT: %[[Y:.*]] = math.exp %[[X]]
// CHECK-NEXT: scf.yield %[[Y]]
// CHECK: shard.all_slice %[[LAST]]
// OFF-LABEL: func.func @whole
// OFF: scf.for
// OFF: shard.all_gather
func.func @whole(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%p = %x) -> tensor<4xf32> {
    %w = shard.all_gather %p on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    %y = math.exp %w : tensor<8xf32>
    %s = shard.all_slice %y on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// Who wants pieces cuts them, which moves nothing.
// CHECK-LABEL: func.func @whole_for_some
// CHECK: shard.all_gather
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = {{.*}}) -> (tensor<8xf32>)
// CHECK: %[[P:.*]] = shard.all_slice %[[X]]
// CHECK: math.sin %[[P]]
// CHECK-NOT: shard.all_gather
// CHECK: return
func.func @whole_for_some(%x: tensor<4xf32>, %b: memref<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%p = %x) -> tensor<4xf32> {
    %w = shard.all_gather %p on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    %y = math.exp %w : tensor<8xf32>
    %t = math.sin %p : tensor<4xf32>
    bufferization.materialize_in_destination %t in restrict writable %b : (tensor<4xf32>, memref<4xf32>) -> ()
    %s = shard.all_slice %y on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// The next value differs between the members that would hold all of it.
// CHECK-LABEL: func.func @not_the_same
// CHECK: scf.for
// CHECK: shard.all_gather
// CHECK: shard.all_slice
func.func @not_the_same(%x: tensor<4xf32>, %d: tensor<8xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%p = %x) -> tensor<4xf32> {
    %w = shard.all_gather %p on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    %y = arith.addf %w, %d : tensor<8xf32>
    %s = shard.all_slice %y on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @pieces
// CHECK: %[[FIRST:.*]] = shard.all_slice %arg0
// CHECK: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %[[FIRST]]) -> (tensor<4xf32>)
// CHECK-NEXT: %[[Y:.*]] = math.exp %[[X]]
// CHECK-NEXT: scf.yield %[[Y]]
// CHECK: shard.all_gather %[[LAST]]
func.func @pieces(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%p = %x) -> tensor<8xf32> {
    %s = shard.all_slice %p on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    %y = math.exp %s : tensor<4xf32>
    %w = shard.all_gather %y on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Both dimensions, in loops in loops.
// CHECK-LABEL: func.func @nested
// CHECK-COUNT-2: shard.all_gather
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: shard.all
// CHECK: shard.all_slice
// CHECK: shard.all_slice
// CHECK: return
func.func @nested(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%o = %x) -> tensor<4x4xf32> {
    %q = scf.for %j = %c0 to %c9 step %c1 iter_args(%p = %o) -> tensor<4x4xf32> {
      %v = shard.all_gather %p on @g grid_axes = [0] gather_axis = 0 : tensor<4x4xf32> -> tensor<8x4xf32>
      %w = shard.all_gather %v on @g grid_axes = [1] gather_axis = 1 : tensor<8x4xf32> -> tensor<8x8xf32>
      %y = math.exp %w : tensor<8x8xf32>
      %s = shard.all_slice %y on @g grid_axes = [0] slice_axis = 0 : tensor<8x8xf32> -> tensor<4x8xf32>
      %t = shard.all_slice %s on @g grid_axes = [1] slice_axis = 1 : tensor<4x8xf32> -> tensor<4x4xf32>
      scf.yield %t : tensor<4x4xf32>
    }
    scf.yield %q : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// A loop that may not run leaves what it is given, which gathered pieces are only where all have the same.
// CHECK-LABEL: func.func @maybe_no_trips
// CHECK: scf.for
// CHECK: shard.all_slice
// CHECK: shard.all_gather
// CHECK: scf.yield
func.func @maybe_no_trips(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> tensor<8xf32> {
    %s = shard.all_slice %p on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    %y = math.exp %s : tensor<4xf32>
    %w = shard.all_gather %y on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// What is known of the first value is not known of its pieces, that the loop carries from then on.
// CHECK-LABEL: func.func @pieces_differ
// CHECK: scf.for {{.*}} -> (tensor<4xf32>, tensor<2xf32>)
// CHECK: shard.all_gather {{.*}} tensor<2xf32> -> tensor<4xf32>
// CHECK: shard.all_slice {{.*}} tensor<4xf32> -> tensor<2xf32>
// CHECK: scf.yield
func.func @pieces_differ(%x: tensor<8xf32> {tessera.layout = {grid = @g, global = tensor<8xf32>, factors = [[[8, []]]]}}, %b: tensor<2xf32>) -> (tensor<8xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%p = %x, %q = %b) -> (tensor<8xf32>, tensor<2xf32>) {
    %s = shard.all_slice %p on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    %v = shard.all_gather %q on @g grid_axes = [0] gather_axis = 0 : tensor<2xf32> -> tensor<4xf32>
    %y = arith.addf %s, %v : tensor<4xf32>
    %w = shard.all_gather %y on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    %t = shard.all_slice %s on @g grid_axes = [0] slice_axis = 0 : tensor<4xf32> -> tensor<2xf32>
    scf.yield %w, %t : tensor<8xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<2xf32>
}

// No collective passes a message between two devices.
// CHECK-LABEL: func.func @behind_message
// CHECK: scf.for
// CHECK: shard.recv
// CHECK: shard.all_gather
// CHECK: shard.all_slice
// CHECK: scf.yield
func.func @behind_message(%x: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%p = %x, %u = %o) -> (tensor<4xf32>, tensor<4xf32>) {
    %m = shard.recv %u on @g grid_axes = [0] source = [%c0] : (tensor<4xf32>, index) -> tensor<4xf32>
    %w = shard.all_gather %p on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    %y = math.exp %w : tensor<8xf32>
    %s = shard.all_slice %y on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    scf.yield %s, %m : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
