// A loop that keeps a tensor's extent asks for it before, not on every trip; one that changes it
// asks on every trip.
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
    %v = tensor.concat dim(0) %u, %x : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>
    scf.yield %v : tensor<?xindex>
  }
  return %r : tensor<?xindex>
}

shard.grid @g(shape = 4)
