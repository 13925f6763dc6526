// The layouts of an annotated callee are those of the operands and results of its calls.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func private @layer(
// CHECK-SAME: {tessera.layout = {factors = {{\[\[\[}}8, []]], {{\[\[}}12, [0]]]]
// CHECK-LABEL: func.func @main(
// CHECK: %[[S:.*]] = shard.sharding @g split_axes = {{\[}}[], [0]] :
// CHECK: %[[A:.*]] = shard.shard %{{.*}} to %[[S]] annotate_for_users : tensor<8x12xf32>
// CHECK: call @layer(%[[A]])

shard.grid @g(shape = 4)
func.func private @layer(%x_in: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<8x12xf32>
  %y = math.tanh %x : tensor<8x12xf32>
  return %y : tensor<8x12xf32>
}
func.func @main(%x_in: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x12xf32>
  %y = func.call @layer(%x) : (tensor<8x12xf32>) -> tensor<8x12xf32>
  return %y : tensor<8x12xf32>
}
