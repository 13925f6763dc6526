// A loop whose trips each have their own rows of a split tensor is dealt out: each device runs the trips of its rows,
// nothing moves, and sums are completed behind the loop. Where a trip depends on another, or the axis is in use
// inside, all run everywhere.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' | FileCheck %s --check-prefix=LOCAL
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,tessera-partition)' | FileCheck %s --check-prefix=LOCAL

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK: tessera.dealt = array<i64: 0>
// LOCAL-LABEL: func.func @rows
// LOCAL: %[[I:.*]] = shard.process_multi_index on @g axes = [0]
// LOCAL: %[[FIRST:.*]] = arith.muli %[[I]], %{{.*}}
// LOCAL: %[[END:.*]] = arith.addi %[[FIRST]], %{{.*}}
// LOCAL: scf.for %[[TRIP:.*]] = %[[FIRST]] to %[[END]] step %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<2x8xf32>)
// LOCAL: %[[AT:.*]] = arith.subi %[[TRIP]], %[[FIRST]]
// LOCAL: tensor.extract_slice %arg0[%[[AT]], 0] [1, 8]
// LOCAL: %[[INTO:.*]] = arith.subi %[[TRIP]], %[[FIRST]]
// LOCAL: tensor.insert_slice %{{.*}} into %[[ACC]][%[[INTO]], 0] [1, 8]
// LOCAL-NOT: all_{{gather|reduce}}
// LOCAL: return
func.func @rows(%x_in: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %e) -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
    %t = math.tanh %a : tensor<1x8xf32>
    %next = tensor.insert_slice %t into %acc[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// What the sum starts from counts on one device.
// CHECK-LABEL: func.func @sum
// CHECK: tessera.dealt = array<i64: 0>
// LOCAL-LABEL: func.func @sum
// LOCAL-NOT: all_{{gather|reduce}}
// LOCAL: %[[START:.*]] = arith.select
// LOCAL: %[[PART:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[START]]) -> (tensor<8xf32>)
// LOCAL: }
// LOCAL: shard.all_reduce %[[PART]] on @g grid_axes = [0]
func.func @sum(%x_in: tensor<8x8xf32>, %s0: tensor<8xf32>) -> tensor<8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %s0) -> (tensor<8xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
    %t = math.tanh %a : tensor<8xf32>
    %next = arith.addf %s, %t : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Pieces of two rows are not of whole trips of four.
// CHECK-LABEL: func.func @pieces_cut_trips
// CHECK-NOT: tessera.dealt
func.func @pieces_cut_trips(%x_in: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%s = %zero) -> (tensor<4x8xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %next = arith.addf %s, %a : tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @sum_is_halved
// CHECK-NOT: tessera.dealt
func.func @sum_is_halved(%x_in: tensor<8x8xf32>, %s0: tensor<8xf32>) -> tensor<8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %half = arith.constant dense<0.5> : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %s0) -> (tensor<8xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
    %h = arith.mulf %s, %half : tensor<8xf32>
    %next = arith.addf %h, %a : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @sum_is_read
// CHECK-NOT: tessera.dealt
func.func @sum_is_read(%x_in: tensor<8x8xf32>, %s0: tensor<1x8xf32>) -> (tensor<8x8xf32>, tensor<1x8xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %e, %s = %s0) -> (tensor<8x8xf32>, tensor<1x8xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
    %next = arith.addf %s, %a : tensor<1x8xf32>
    %built = tensor.insert_slice %next into %acc[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
    scf.yield %built, %next : tensor<8x8xf32>, tensor<1x8xf32>
  }
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<1x8xf32>
}

// Another trip's place is read.
// CHECK-LABEL: func.func @place_is_read
// CHECK-NOT: tessera.dealt
func.func @place_is_read(%x_in: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %x) -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
    %b = tensor.extract_slice %acc[0, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
    %t = arith.addf %a, %b : tensor<1x8xf32>
    %next = tensor.insert_slice %t into %acc[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// An annotation inside splits a trip's value over the axis: its devices have to be in one trip.
// CHECK-LABEL: func.func @axis_is_used
// CHECK-NOT: tessera.dealt
func.func @axis_is_used(%x_in: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %e) -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
    %s = shard.shard %a to %columns : tensor<1x8xf32>
    %t = math.tanh %s : tensor<1x8xf32>
    %next = tensor.insert_slice %t into %acc[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// What a trip gives of its own is split over another axis: the sum stays partial over it as well, and both are
// completed at once behind the loop.
shard.grid @g2(shape = 2x2)

// CHECK-LABEL: func.func @parts_are_partial
// CHECK: tessera.dealt = array<i64: 0>
// LOCAL-LABEL: func.func @parts_are_partial
// LOCAL-NOT: all_{{gather|reduce}}
// LOCAL: %[[PART:.*]] = scf.for {{.*}} -> (tensor<8xf32>)
// LOCAL-NOT: all_{{gather|reduce}}
// LOCAL: scf.yield
// LOCAL: shard.all_reduce %[[PART]] on @g2 grid_axes = [0, 1]
// LOCAL-NOT: all_{{gather|reduce}}
// LOCAL: return
func.func @parts_are_partial(%x_in: tensor<8x4x8xf32>, %s0: tensor<8xf32>) -> tensor<8xf32> {
  %rows = shard.sharding @g2 split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %s0) -> (tensor<8xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<8x4x8xf32> to tensor<4x8xf32>
    %t = math.tanh %a : tensor<4x8xf32>
    %part = linalg.reduce { arith.addf } ins(%t : tensor<4x8xf32>) outs(%zero : tensor<8xf32>) dimensions = [0]
    %next = arith.addf %s, %part : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Maxima of a trip are not added up before they are whole.
// CHECK-LABEL: func.func @parts_are_maxima
// LOCAL-LABEL: func.func @parts_are_maxima
// LOCAL: scf.for
// LOCAL: shard.all_reduce %{{.*}} on @g2 grid_axes = [1] reduction = max
// LOCAL: scf.yield
// LOCAL: shard.all_reduce %{{.*}} on @g2 grid_axes = [0] :
func.func @parts_are_maxima(%x_in: tensor<8x64x8xf32>, %s0: tensor<8xf32>) -> tensor<8xf32> {
  %rows = shard.sharding @g2 split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x64x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %s0) -> (tensor<8xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 64, 8] [1, 1, 1] : tensor<8x64x8xf32> to tensor<64x8xf32>
    %t = math.tanh %a : tensor<64x8xf32>
    %part = linalg.reduce { arith.maximumf } ins(%t : tensor<64x8xf32>) outs(%zero : tensor<8xf32>) dimensions = [0]
    %next = arith.addf %s, %part : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
