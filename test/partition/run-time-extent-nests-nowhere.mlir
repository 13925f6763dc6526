// Of an extent that is not known, fine shards may not be pieces of coarse ones: taking one of two
// axes off a dimension is an exchange, taking both off a gather.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s

shard.grid @g(shape = 2x2)

// CHECK: func.func @one(%[[X:.*]]: tensor<?x8xf32>
// CHECK-NOT: tessera.all_gather
// CHECK: tessera.exchange %[[X]] from {factors = {{\[\[\[}}-1, [0, 1]]]
// CHECK-SAME: to {factors = {{\[\[\[}}-1, [0]]]
// CHECK-SAME: global_sizes(%{{.*}})
// CHECK-NOT: tessera.all_gather
// CHECK: return
func.func @one(%x_in: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %fine = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %coarse = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %fine : tensor<?x8xf32>
  %y = shard.shard %x to %coarse annotate_for_users : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// CHECK: func.func @both(%[[X:.*]]: tensor<?x8xf32>
// CHECK-NOT: tessera.exchange
// CHECK: tessera.all_gather %[[X]] on @g grid_axes = [0, 1] gather_axis = 0
func.func @both(%x_in: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %fine = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %fine : tensor<?x8xf32>
  %y = shard.shard %x to %whole annotate_for_users : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
