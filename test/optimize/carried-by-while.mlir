// What a loop with a condition gathers and cuts again in each trip is carried whole, and what it cuts and
// gathers, in pieces, whether the condition is asked before a trip or behind it.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize{carried=false})' | FileCheck %s --check-prefix=OFF
shard.grid @g(shape = 2x2)

// CHECK-LABEL: func.func @whole
// CHECK: %[[FIRST:.*]] = shard.all_gather %arg0
// CHECK: %[[LAST:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %[[X:.*]] = %[[FIRST]]) : (index, tensor<8xf32>) -> (tensor<8xf32>, index)
// CHECK: scf.condition(%{{.*}}) %[[X]], %
// CHECK: ^bb0(%[[Z:.*]]: tensor<8xf32>, %
// CHECK: %[[Y:.*]] = math.exp %[[Z]]
// CHECK: scf.yield %{{.*}}, %[[Y]]
// CHECK: shard.all_slice %[[LAST]]#0
// OFF-LABEL: func.func @whole
// OFF: scf.while
// OFF: shard.all_gather
func.func @whole(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r:2 = scf.while (%i = %c0, %p = %x) : (index, tensor<4xf32>) -> (tensor<4xf32>, index) {
    %more = arith.cmpi slt, %i, %c9 : index
    scf.condition(%more) %p, %i : tensor<4xf32>, index
  } do {
  ^bb0(%p: tensor<4xf32>, %i: index):
    %w = shard.all_gather %p on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    %y = math.exp %w : tensor<8xf32>
    %s = shard.all_slice %y on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %s : index, tensor<4xf32>
  }
  return %r#0 : tensor<4xf32>
}

// The condition looks at the pieces, which are cut for it.
// CHECK-LABEL: func.func @whole_to_a_tolerance
// CHECK: shard.all_gather %arg0
// CHECK: scf.while (%[[X:.*]] = %{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: %[[P:.*]] = shard.all_slice %[[X]]
// CHECK: tensor.extract %[[P]]
// CHECK: scf.condition(%{{.*}}) %[[X]]
// CHECK-NOT: shard.all_gather
// CHECK: return
func.func @whole_to_a_tolerance(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %small = arith.constant 0.1 : f32
  %r = scf.while (%p = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %n = tensor.extract %p[%c0] : tensor<4xf32>
    %more = arith.cmpf ogt, %n, %small : f32
    scf.condition(%more) %p : tensor<4xf32>
  } do {
  ^bb0(%p: tensor<4xf32>):
    %w = shard.all_gather %p on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    %y = math.exp %w : tensor<8xf32>
    %s = shard.all_slice %y on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// The first region surely runs.
// CHECK-LABEL: func.func @pieces_until
// CHECK: %[[FIRST:.*]] = shard.all_slice %arg0
// CHECK: %[[LAST:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %[[X:.*]] = %[[FIRST]]) : (index, tensor<4xf32>) -> (index, tensor<4xf32>)
// CHECK: %[[Y:.*]] = math.exp %[[X]]
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %[[Y]]
// CHECK: ^bb0(%{{.*}}: index, %[[Z:.*]]: tensor<4xf32>)
// CHECK: scf.yield %{{.*}}, %[[Z]]
// CHECK: shard.all_gather %[[LAST]]#1
func.func @pieces_until(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r:2 = scf.while (%i = %c0, %p = %x) : (index, tensor<8xf32>) -> (index, tensor<8xf32>) {
    %s = shard.all_slice %p on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    %y = math.exp %s : tensor<4xf32>
    %w = shard.all_gather %y on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    %j = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %j, %c9 : index
    scf.condition(%more) %j, %w : index, tensor<8xf32>
  } do {
  ^bb0(%i: index, %p: tensor<8xf32>):
    scf.yield %i, %p : index, tensor<8xf32>
  }
  return %r#1 : tensor<8xf32>
}

// The second one may not, and then leaves what it is given, which gathered pieces are only where all have the same.
// CHECK-LABEL: func.func @pieces_maybe
// CHECK: scf.while
// CHECK: shard.all_slice
// CHECK: shard.all_gather
// CHECK: scf.yield
func.func @pieces_maybe(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %p = %x) : (index, tensor<8xf32>) -> (index, tensor<8xf32>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %p : index, tensor<8xf32>
  } do {
  ^bb0(%i: index, %p: tensor<8xf32>):
    %s = shard.all_slice %p on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    %y = math.exp %s : tensor<4xf32>
    %w = shard.all_gather %y on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %w : index, tensor<8xf32>
  }
  return %r#1 : tensor<8xf32>
}

// Neither is it where the condition needs all of them.
// CHECK-LABEL: func.func @pieces_for_a_condition
// CHECK: scf.while
// CHECK: shard.all_slice
// CHECK: shard.all_gather
// CHECK: scf.yield
func.func @pieces_for_a_condition(%x: tensor<8xf32> {tessera.layout = {grid = @g, global = tensor<8xf32>, factors = [[[8, []]]]}}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %small = arith.constant 0.1 : f32
  %r = scf.while (%p = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    %n = tensor.extract %p[%c0] : tensor<8xf32>
    %more = arith.cmpf ogt, %n, %small : f32
    scf.condition(%more) %p : tensor<8xf32>
  } do {
  ^bb0(%p: tensor<8xf32>):
    %s = shard.all_slice %p on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
    %y = math.exp %s : tensor<4xf32>
    %w = shard.all_gather %y on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
