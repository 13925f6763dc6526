// Every value has one defining annotation; all others take its result.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-DAG: %[[X:.*]] = shard.shard %arg0 to %{{.*}} : tensor<8x12xf32>
// CHECK-NOT: shard.shard %arg0
// CHECK: shard.shard %[[X]] to %{{.*}} annotate_for_users
// CHECK: %[[Y:.*]] = math.tanh
// CHECK-NOT: shard.shard %[[Y]] to %{{.*}} annotate_for_users
// CHECK: %[[D:.*]] = shard.shard %[[Y]] to %{{[a-z_0-9]+}} : tensor<8x12xf32>
// CHECK-NOT: shard.shard %[[Y]]
// CHECK: return

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<8x12xf32>, %y_in: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x12xf32>
  %z = shard.shard %x_in to %columns annotate_for_users : tensor<8x12xf32>
  %y = math.tanh %x : tensor<8x12xf32>
  %v = shard.shard %y to %columns : tensor<8x12xf32>
  %w = shard.shard %y to %rows annotate_for_users : tensor<8x12xf32>
  %p = arith.addf %v, %z : tensor<8x12xf32>
  %q = arith.mulf %w, %p : tensor<8x12xf32>
  return %q : tensor<8x12xf32>
}
