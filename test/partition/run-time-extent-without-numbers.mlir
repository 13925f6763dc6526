// The extent of an argument whose layout has run-time numbers: from a number where one is known or
// can be, else summed up over the devices; asking never waits for the annotation.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition,canonicalize,cse)' | FileCheck %s

shard.grid @g(shape = 2)

// The last offset is the extent: only the pieces can tell it, and the sum serves all that ask.
// CHECK-LABEL: func.func @own
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>
// CHECK: %[[HELD:.*]] = tensor.dim %[[X]]
// CHECK: %[[ONE:.*]] = tensor.from_elements %[[HELD]]
// CHECK: %[[ALL:.*]] = shard.all_reduce %[[ONE]]
// CHECK: %[[N:.*]] = tensor.extract %[[ALL]]
// CHECK-NOT: shard.all_reduce
// CHECK: %[[T:.*]] = math.tanh %[[X]] : tensor<?xf32>
// CHECK: return %[[T]], %[[N]]
func.func @own(%x: tensor<?xf32>, %k: i64) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %n64 = arith.index_cast %n : index to i64
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %k, %n64] : !shard.sharding
  %a = shard.shard %x to %s : tensor<?xf32>
  %t = math.tanh %a : tensor<?xf32>
  %m = tensor.dim %t, %c0 : tensor<?xf32>
  return %t, %m : tensor<?xf32>, index
}

// The last offset is computed behind the query, from a scalar: no message.
// CHECK-LABEL: func.func @moved
// CHECK-SAME: %[[K:[a-z0-9]*]]: i64)
// CHECK-NOT: shard.all_reduce
// CHECK: %[[SUM:.*]] = arith.addi %[[K]], %[[K]]
// CHECK-NOT: shard.all_reduce
// CHECK: %[[N:.*]] = arith.index_cast %[[SUM]]
// CHECK: return %{{.*}}, %[[N]]
func.func @moved(%x: tensor<?xf32>, %k: i64) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.addi %k, %k : i64
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 1, %m] : !shard.sharding
  %a = shard.shard %x to %s : tensor<?xf32>
  return %a, %n : tensor<?xf32>, index
}

// A query inside an op that runs whole needs no data either.
// CHECK-LABEL: func.func @inside
// CHECK-NOT: all_gather
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @inside(%x: tensor<?xf32>, %k: i64, %c: i1) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> index {
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    scf.yield %n : index
  } else {
    scf.yield %c0 : index
  }
  %m = arith.addi %k, %k : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%m, 1] : !shard.sharding
  %a = shard.shard %x to %s : tensor<?xf32>
  return %a, %r : tensor<?xf32>, index
}
