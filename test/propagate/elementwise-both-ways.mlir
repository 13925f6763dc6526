// From one operand to the result, and from there to the other operand.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-DAG: %[[S:.*]] = shard.sharding @g split_axes = {{\[}}[], [0]] :
// CHECK-DAG: shard.shard %arg0 to %[[S]] : tensor<8x12xf32>
// CHECK-DAG: shard.shard %arg1 to %[[S]] : tensor<8x12xf32>
// CHECK: arith.addf
// CHECK-NOT: split_axes = {{\[\[\](, \[\])?\]}}
// CHECK: return

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<8x12xf32>, %y_in: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<8x12xf32>
  %r = arith.addf %x, %y_in : tensor<8x12xf32>
  return %r : tensor<8x12xf32>
}
