// An axis that a reshape needs a part of is cut, where that moves fewer bytes and is no more work: the
// function is then on the finer grid, which the annotated one names.
// RUN: %mlir_opt %s --split-input-file --pass-pipeline='builtin.module(tessera-propagate)' -o %t
// RUN: FileCheck %s < %t
// RUN: %mlir_opt %t --split-input-file --pass-pipeline='builtin.module(tessera-propagate)' | diff %t -
// RUN: %mlir_opt %t --split-input-file --pass-pipeline='builtin.module(canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --check-prefix=PIECES
// RUN: %mlir_opt %s --split-input-file --pass-pipeline='builtin.module(tessera-propagate{refine-grids=false})' \
// RUN:   | FileCheck %s --check-prefix=COARSE

// COARSE-NOT: _4x2
// COARSE-NOT: _2x3x2
// COARSE-NOT: _2x4

// CHECK: shard.grid @grid(shape = 8) {tessera.refined = @grid_4x2}
// CHECK: shard.grid @grid_4x2(shape = 4x2)
shard.grid @grid(shape = 8)

// Sums of four groups of eight: two devices have a group.
// CHECK-LABEL: func.func @groups(
// PIECES-LABEL: func.func @groups(
// PIECES-SAME: tensor<4x4xf32>
// PIECES-NOT: gather
// PIECES: all_reduce {{.*}} on @grid_4x2 grid_axes = [1] {{.*}}tensor<4x1xf32>
// PIECES-NOT: gather
func.func @groups(%x_in: tensor<4x32xf32>, %into: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %s = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x32xf32>
  %g = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 4, 8] : tensor<4x32xf32> into tensor<4x4x8xf32>
  %sums = linalg.reduce { arith.addf } ins(%g : tensor<4x4x8xf32>) outs(%into : tensor<4x4xf32>) dimensions = [2]
  return %sums : tensor<4x4xf32>
}

// -----

// Two axes share a dimension: what one leaves of six heads, three, a part of the other takes.
// CHECK: shard.grid @grid(shape = 2x6) {tessera.refined = @grid_2x3x2}
// CHECK: shard.grid @grid_2x3x2(shape = 2x3x2)
shard.grid @grid(shape = 2x6)

// CHECK-LABEL: func.func @two_axes(
// PIECES-LABEL: func.func @two_axes(
// PIECES-NOT: gather
func.func @two_axes(%x_in: tensor<24xf32>) -> tensor<6x4xf32> {
  %s = shard.sharding @grid split_axes = [[0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<24xf32>
  %g = tensor.expand_shape %x [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
  %e = math.tanh %g : tensor<6x4xf32>
  return %e : tensor<6x4xf32>
}

// -----

// Nothing is moved as it is, so nothing is cut: sequences of two rows are not split.
// CHECK: shard.grid @grid(shape = 4){{$}}
// CHECK-NOT: shard.grid
shard.grid @grid(shape = 4)

// CHECK-LABEL: func.func @needless(
func.func @needless(%x_in: tensor<2x6x8xf32>) -> tensor<12x8xf32> {
  %s = shard.sharding @grid split_axes = [[], [], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<2x6x8xf32>
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x6x8xf32> into tensor<12x8xf32>
  return %c : tensor<12x8xf32>
}

// -----

// A grid that says which one its functions are on.
// CHECK: shard.grid @grid(shape = 4) {tessera.refined = @mine}
shard.grid @grid(shape = 4) {tessera.refined = @mine}
shard.grid @mine(shape = 2x2)

// CHECK-LABEL: func.func @asked(
// CHECK-SAME: grid = @mine
func.func @asked(%x_in: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8xf32>
  %e = math.tanh %x : tensor<8xf32>
  return %e : tensor<8xf32>
}

// -----

// A function without annotations is solved for what calls pass on the finer grid.
// CHECK: shard.grid @grid(shape = 8) {tessera.refined = @grid_2x4}
shard.grid @grid(shape = 8)

// PIECES-LABEL: func.func private @callee
// PIECES-SAME: tensor<1x2x4xf32>
func.func private @callee(%x_in: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %e = math.tanh %x_in : tensor<2x8x4xf32>
  return %e : tensor<2x8x4xf32>
}

// PIECES-LABEL: func.func @caller(
// PIECES-NOT: gather
// PIECES: call @callee
// PIECES-NOT: gather
func.func @caller(%x_in: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x4xf32>
  %a = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 8, 4] : tensor<16x4xf32> into tensor<2x8x4xf32>
  %b = func.call @callee(%a) : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %t = math.absf %a : tensor<2x8x4xf32>
  %u = arith.addf %b, %t : tensor<2x8x4xf32>
  %c = tensor.collapse_shape %u [[0, 1], [2]] : tensor<2x8x4xf32> into tensor<16x4xf32>
  %r = shard.shard %c to %s : tensor<16x4xf32>
  return %r : tensor<16x4xf32>
}

// -----

// One that names itself stays as it is; one that is named may name the next.
// CHECK: shard.grid @grid(shape = 8) {tessera.refined = @grid}
shard.grid @grid(shape = 8) {tessera.refined = @grid}

// CHECK-LABEL: func.func @stays(
// CHECK-SAME: grid = @grid}
func.func @stays(%x_in: tensor<4x32xf32>) -> tensor<4x4x8xf32> {
  %s = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x32xf32>
  %g = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 4, 8] : tensor<4x32xf32> into tensor<4x4x8xf32>
  %e = math.tanh %g : tensor<4x4x8xf32>
  return %e : tensor<4x4x8xf32>
}

// -----

shard.grid @grid(shape = 8) {tessera.refined = @middle}
shard.grid @middle(shape = 4x2) {tessera.refined = @last}
shard.grid @last(shape = 2x2x2)

// CHECK-LABEL: func.func @chain(
// CHECK-SAME: grid = @last}
func.func @chain(%x_in: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8xf32>
  %e = math.tanh %x : tensor<8xf32>
  return %e : tensor<8xf32>
}

// -----

// Two groups of what four devices have are centred: that they all know the groups' sums costs a little more
// work than to turn the field, and far fewer bytes.
// CHECK: shard.grid @grid(shape = 4) {tessera.refined = @grid_2x2}
// CHECK: shard.grid @grid_2x2(shape = 2x2)
shard.grid @grid(shape = 4)
#all = affine_map<(n, g, i) -> (n, g, i)>
#groups = affine_map<(n, g, i) -> (n, g)>

// CHECK-LABEL: func.func @centred(
// PIECES-LABEL: func.func @centred(
// PIECES-NOT: {{gather|all_to_all|exchange}}
// PIECES: all_reduce {{.*}} on @grid_2x2 grid_axes = [1] {{.*}}tensor<64x1xf32>
// PIECES-NOT: {{gather|all_to_all|exchange}}
func.func @centred(%x_in: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %size = arith.constant 32.0 : f32
  %g = tensor.expand_shape %x [[0], [1, 2]] output_shape [64, 2, 32] : tensor<64x64xf32> into tensor<64x2x32xf32>
  %e = tensor.empty() : tensor<64x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x2xf32>) -> tensor<64x2xf32>
  %sums = linalg.reduce { arith.addf } ins(%g : tensor<64x2x32xf32>) outs(%f : tensor<64x2xf32>) dimensions = [2]
  %sizes = linalg.fill ins(%size : f32) outs(%e : tensor<64x2xf32>) -> tensor<64x2xf32>
  %means = arith.divf %sums, %sizes : tensor<64x2xf32>
  %e1 = tensor.empty() : tensor<64x2x32xf32>
  %c = linalg.generic {indexing_maps = [#all, #groups, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g, %means : tensor<64x2x32xf32>, tensor<64x2xf32>) outs(%e1 : tensor<64x2x32xf32>) {
  ^bb0(%v: f32, %mean: f32, %o: f32):
    %d = arith.subf %v, %mean : f32
    linalg.yield %d : f32
  } -> tensor<64x2x32xf32>
  %r = tensor.collapse_shape %c [[0], [1, 2]] : tensor<64x2x32xf32> into tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
