// Numbers that only the launch knows become operands of exchanges, beside their use; pieces under
// them have extents that are computed, of sound size whatever the numbers are.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition,canonicalize,cse)' | FileCheck %s

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @halo
// CHECK-SAME: %[[X:.*]]: tensor<?x8xf32> {{.*}}, %[[N:.*]]: i64) -> (tensor<?x8xf32>
// CHECK-SAME: tessera.resolve = @halo.layouts
func.func @halo(%x: tensor<8x8xf32>, %n: i64) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [1, %n] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
  // CHECK: %[[HALO:.*]] = arith.index_cast %[[N]] : i64 to index
  // CHECK: %[[PLAIN:.*]] = tessera.exchange %[[X]]
  // CHECK-SAME: numbers(%[[HALO]]) : tensor<?x8xf32> -> tensor<2x8xf32>
  // CHECK: %[[T:.*]] = math.tanh %[[PLAIN]]
  %t = math.tanh %a : tensor<8x8xf32>
  // CHECK: %[[ROWS:.*]] = arith.maxsi %[[HALO]], %[[ZERO]]
  // CHECK: %[[LOCAL:.*]] = arith.addi %[[ROWS]], %[[THREE]]
  // CHECK: tessera.exchange %[[T]]
  // CHECK-SAME: sizes(%[[LOCAL]]) numbers(%[[HALO]]) : tensor<2x8xf32> -> tensor<?x8xf32>
  %b = shard.shard %t to %s : tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}

// Equal values are one layout: nothing is moved from one to the other.
// CHECK-LABEL: func.func @same
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @same(%x: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %m = arith.index_cast %n : index to i64
  %k = arith.index_cast %n : index to i64
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 1, %m, 7, 8] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 1, %k, 7, 8] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  %b = shard.shard %a to %t annotate_for_users : tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}

// Different ones are not, whatever they turn out to be.
// CHECK-LABEL: func.func @different
// CHECK: tessera.exchange
// CHECK-SAME: numbers(%[[N:.*]], %[[M:.*]]) : tensor<?x8xf32> -> tensor<?x8xf32>
// CHECK: return
func.func @different(%x: tensor<8x8xf32>, %n: i64, %m: i64) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 1, %n, 7, 8] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 1, %m, 7, 8] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  %b = shard.shard %a to %t annotate_for_users : tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}
