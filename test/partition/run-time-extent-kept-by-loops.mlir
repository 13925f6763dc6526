// A loop that keeps a tensor's extent asks for it before, not on every trip; one that changes it
// asks on every trip. Branches and blocks that pass one extent on ask for it once.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @kept
// CHECK: shard.all_reduce %{{.*}} : tensor<index> -> tensor<index>
// CHECK: scf.for
// CHECK-NOT: shard.all_reduce
// CHECK: return
func.func @kept(%x_in: tensor<?xindex>, %trips: index) -> tensor<?xindex> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%u = %x) -> (tensor<?xindex>) {
    %n = tensor.dim %u, %c0 : tensor<?xindex>
    %e = tensor.empty(%n) : tensor<?xindex>
    %f = linalg.fill ins(%n : index) outs(%e : tensor<?xindex>) -> tensor<?xindex>
    %v = arith.addi %u, %f : tensor<?xindex>
    scf.yield %v : tensor<?xindex>
  }
  return %r : tensor<?xindex>
}

// CHECK-LABEL: func.func @grown
// CHECK: scf.for
// CHECK: shard.all_reduce %{{.*}} : tensor<index> -> tensor<index>
// CHECK: tensor.concat
// CHECK: scf.yield
func.func @grown(%x_in: tensor<?xindex>, %trips: index) -> tensor<?xindex> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%u = %x) -> (tensor<?xindex>) {
    %w = tensor.concat dim(0) %u, %x : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>
    %v = shard.shard %w to %rows : tensor<?xindex>
    scf.yield %v : tensor<?xindex>
  }
  return %r : tensor<?xindex>
}

// What the first region passes on is what it got, and the other way round.
// CHECK-LABEL: func.func @kept_under_a_condition
// CHECK: shard.all_reduce %{{.*}} : tensor<index> -> tensor<index>
// CHECK: scf.while
// CHECK-NOT: shard.all_reduce
// CHECK: return
func.func @kept_under_a_condition(%x_in: tensor<?xindex>, %p: i1) -> (tensor<?xindex>, tensor<?xindex>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?xindex>
  %c0 = arith.constant 0 : index
  %r:2 = scf.while (%u = %x, %v = %x)
      : (tensor<?xindex>, tensor<?xindex>) -> (tensor<?xindex>, tensor<?xindex>) {
    scf.condition(%p) %v, %u : tensor<?xindex>, tensor<?xindex>
  } do {
  ^bb0(%u: tensor<?xindex>, %v: tensor<?xindex>):
    %n = tensor.dim %u, %c0 : tensor<?xindex>
    %e = tensor.empty(%n) : tensor<?xindex>
    %f = linalg.fill ins(%n : index) outs(%e : tensor<?xindex>) -> tensor<?xindex>
    %w = arith.addi %u, %f : tensor<?xindex>
    scf.yield %v, %w : tensor<?xindex>, tensor<?xindex>
  }
  return %r#0, %r#1 : tensor<?xindex>, tensor<?xindex>
}

// CHECK-LABEL: func.func @kept_by_branches
// CHECK: shard.all_reduce %{{.*}} : tensor<index> -> tensor<index>
// CHECK: scf.if
// CHECK-NOT: shard.all_reduce
// CHECK: return
func.func @kept_by_branches(%x_in: tensor<?xindex>, %p: i1) -> tensor<?xindex> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?xindex>
  %c0 = arith.constant 0 : index
  %r = scf.if %p -> tensor<?xindex> {
    %v = arith.addi %x, %x : tensor<?xindex>
    scf.yield %v : tensor<?xindex>
  } else {
    scf.yield %x : tensor<?xindex>
  }
  cf.cond_br %p, ^next(%r : tensor<?xindex>), ^next(%x : tensor<?xindex>)
^next(%u: tensor<?xindex>):
  %n = tensor.dim %u, %c0 : tensor<?xindex>
  %e = tensor.empty(%n) : tensor<?xindex>
  %f = linalg.fill ins(%n : index) outs(%e : tensor<?xindex>) -> tensor<?xindex>
  %w = arith.addi %u, %f : tensor<?xindex>
  return %w : tensor<?xindex>
}

// Of two extents, each branch its own.
// CHECK-LABEL: func.func @chosen_by_a_branch
// CHECK: %[[R:.*]] = scf.if
// CHECK: tensor.dim %[[R]]
// CHECK: shard.all_reduce %{{.*}} : tensor<index> -> tensor<index>
// CHECK: return
func.func @chosen_by_a_branch(%x_in: tensor<?xindex>, %y: tensor<?xindex>, %p: i1) -> index {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?xindex>
  %c0 = arith.constant 0 : index
  %r = scf.if %p -> tensor<?xindex> {
    scf.yield %x : tensor<?xindex>
  } else {
    scf.yield %y : tensor<?xindex>
  }
  %n = tensor.dim %r, %c0 : tensor<?xindex>
  return %n : index
}

shard.grid @g(shape = 4)
