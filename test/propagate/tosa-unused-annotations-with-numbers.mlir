// Annotations of arguments that nothing uses, whose numbers nothing else uses: what they are computed from stays
// over the conversion of tosa to linalg, which deletes what is dead.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate)' | FileCheck %s

shard.grid @g(shape = 2)

// CHECK: func.func @main(%[[X:[a-z0-9]+]]: tensor<8xf32> {{.*}}, %[[Y:[a-z0-9]+]]: tensor<6xf32> {{.*}}, %[[N:[a-z0-9]+]]: i64) ->
func.func @main(%x: tensor<8xf32>, %y: tensor<6xf32>, %n: i64) -> tensor<6xf32> {
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK: %[[H:.*]] = arith.remsi %[[N]], %[[TWO]] : i64
  // CHECK: %[[S:.*]] = shard.sharding @g split_axes = {{\[\[0\]\]}} halo_sizes = [%[[H]], 0]
  // CHECK: shard.shard %[[X]] to %[[S]] : tensor<8xf32>
  // CHECK-DAG: %[[T:.*]] = shard.sharding @g split_axes = {{\[\[0\]\]}} halo_sizes = [%[[N]], 1]
  // CHECK-DAG: shard.shard %[[Y]] to %[[T]] : tensor<6xf32>
  %two = arith.constant 2 : i64
  %h = arith.remsi %n, %two : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%h, 0] : !shard.sharding
  %unused = shard.shard %x to %s : tensor<8xf32>
  %t = shard.sharding @g split_axes = [[0]] halo_sizes = [%n, 1] : !shard.sharding
  %y1 = shard.shard %y to %t : tensor<6xf32>
  %r = tosa.abs %y1 : (tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
