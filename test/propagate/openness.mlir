// How far layouts may grow: single dimensions that are open, axes that are never taken, rounds, which
// way layouts pass an annotation, groups. What propagation prints says nothing of it any more, and
// partitioning finds the same.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' -o %t
// RUN: FileCheck %s --check-prefix=HELD --implicit-check-not=tessera.open --implicit-check-not=tessera.priority --implicit-check-not=tessera.flow --implicit-check-not=tessera.group < %t
// RUN: %mlir_opt %t --pass-pipeline='builtin.module(canonicalize,cse,tessera-partition)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition)' | FileCheck %s
// RUN: %mlir_opt %t --pass-pipeline='builtin.module(tessera-propagate)' | diff %t -

// HELD: shard.grid
shard.grid @g(shape = 2x2)

// Dimension 1 may be split, dimension 0 stays whole.
// CHECK-LABEL: func.func @open_dimension(
// CHECK-SAME: %arg0: tensor<8x8xf32> {{.*}}%arg1: tensor<4x8xf32>
func.func @open_dimension(%x_in: tensor<8x16xf32>, %y_in: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %some = shard.sharding @g split_axes = [[]] {tessera.open = [1]} : !shard.sharding
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %some : tensor<8x16xf32>
  %y = shard.shard %y_in to %both : tensor<8x16xf32>
  %r = arith.addf %x, %y : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Axis 0 is kept away from the value.
// CHECK-LABEL: func.func @replicated_axis(
// CHECK-SAME: %arg0: tensor<8x8xf32> {{.*}}%arg1: tensor<4x8xf32>
func.func @replicated_axis(%x_in: tensor<8x16xf32>, %y_in: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %some = shard.sharding @g split_axes = [[]] {tessera.open, tessera.replicated = [0]} : !shard.sharding
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %some : tensor<8x16xf32>
  %y = shard.shard %y_in to %both : tensor<8x16xf32>
  %r = arith.addf %x, %y : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Without priorities the first argument decides, which comes first ...
// CHECK-LABEL: func.func @no_priority(
// CHECK-SAME: %arg2: tensor<4x16xf32>
// CHECK-SAME: -> (tensor<4x16xf32>
func.func @no_priority(%x_in: tensor<8x16xf32>, %y_in: tensor<8x16xf32>, %z: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x16xf32>
  %y = shard.shard %y_in to %columns : tensor<8x16xf32>
  %s = arith.addf %x, %z : tensor<8x16xf32>
  %r = arith.addf %s, %y : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// ... with them the one that counts in an earlier round.
// CHECK-LABEL: func.func @priority(
// CHECK-SAME: %arg0: tensor<4x16xf32>
// CHECK-SAME: %arg2: tensor<8x8xf32>
// CHECK-SAME: -> (tensor<8x8xf32>
func.func @priority(%x_in: tensor<8x16xf32>, %y_in: tensor<8x16xf32>, %z: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] {tessera.priority = 1} : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x16xf32>
  %y = shard.shard %y_in to %columns : tensor<8x16xf32>
  %s = arith.addf %x, %z : tensor<8x16xf32>
  %r = arith.addf %s, %y : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// A number for each dimension: rows count at once, columns after those of %y.
// CHECK-LABEL: func.func @priority_of_dimension(
// CHECK-SAME: %arg0: tensor<4x8xf32>
// CHECK-SAME: %arg2: tensor<4x8xf32>
func.func @priority_of_dimension(%x_in: tensor<8x16xf32>, %y_in: tensor<8x16xf32>, %z: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %both = shard.sharding @g split_axes = [[0], [1]] {tessera.priority = [0, 2]} : !shard.sharding
  %open = shard.sharding @g split_axes = [[]] {tessera.open} : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<8x16xf32>
  %y = shard.shard %y_in to %open : tensor<8x16xf32>
  %s = arith.addf %x, %z : tensor<8x16xf32>
  %r = arith.addf %s, %y : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Nothing passes: what is before the annotation is split, what is after it whole.
// CHECK-LABEL: func.func @flow_none(
// CHECK-SAME: %arg0: tensor<4x16xf32>
// CHECK: math.tanh %{{.*}} : tensor<4x16xf32>
// CHECK: math.absf %{{.*}} : tensor<8x16xf32>
func.func @flow_none(%x_in: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %open = shard.sharding @g split_axes = [[]] {tessera.open} : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x16xf32>
  %t = math.tanh %x : tensor<8x16xf32>
  %u = shard.shard %t to %open {tessera.flow = "none"} : tensor<8x16xf32>
  %r = math.absf %u : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Forward only: %z, before the annotation, learns nothing of the columns after it.
// CHECK-LABEL: func.func @flow_forward(
// CHECK-SAME: %arg0: tensor<8x16xf32> {{.*}}%arg1: tensor<8x8xf32>
func.func @flow_forward(%z: tensor<8x16xf32>, %y_in: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %open = shard.sharding @g split_axes = [[]] {tessera.open} : !shard.sharding
  %t = math.tanh %z : tensor<8x16xf32>
  %u = shard.shard %t to %open {tessera.flow = "forward"} : tensor<8x16xf32>
  %y = shard.shard %y_in to %columns : tensor<8x16xf32>
  %r = arith.addf %u, %y : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Backward only: it does learn of them.
// CHECK-LABEL: func.func @flow_backward(
// CHECK-SAME: %arg0: tensor<8x8xf32> {{.*}}%arg1: tensor<8x8xf32>
func.func @flow_backward(%z: tensor<8x16xf32>, %y_in: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %open = shard.sharding @g split_axes = [[]] {tessera.open} : !shard.sharding
  %t = math.tanh %z : tensor<8x16xf32>
  %u = shard.shard %t to %open {tessera.flow = "backward"} : tensor<8x16xf32>
  %y = shard.shard %y_in to %columns : tensor<8x16xf32>
  %r = arith.addf %u, %y : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Two tensors that nothing connects are split alike.
// CHECK-LABEL: func.func @group(
// CHECK-SAME: %arg0: tensor<4x16xf32> {{.*}}%arg1: tensor<4x16xf32> {{.*}}%arg2: tensor<4x16xf32>
func.func @group(%x_in: tensor<8x16xf32>, %y_in: tensor<8x16xf32>, %z_in: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %open = shard.sharding @g split_axes = [[]] {tessera.open} : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %open {tessera.group = 1} : tensor<8x16xf32>
  %y = shard.shard %y_in to %open {tessera.group = 1} : tensor<8x16xf32>
  %z = shard.shard %z_in to %rows : tensor<8x16xf32>
  %r = arith.addf %x, %z : tensor<8x16xf32>
  %s = math.absf %y : tensor<8x16xf32>
  return %r, %s : tensor<8x16xf32>, tensor<8x16xf32>
}
