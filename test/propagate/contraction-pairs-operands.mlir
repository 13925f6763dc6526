// A split summed dimension of one operand splits that of the other, and nothing of the result.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-DAG: %[[COLUMNS:.*]] = shard.sharding @g split_axes = {{\[}}[], [0]] :
// CHECK-DAG: %[[ROWS:.*]] = shard.sharding @g split_axes = {{\[}}[0]{{(, \[\])?}}] :
// CHECK-DAG: shard.shard %arg0 to %[[COLUMNS]] : tensor<8x16xf32>
// CHECK-DAG: shard.shard %arg1 to %[[ROWS]] : tensor<16x32xf32>
// CHECK-DAG: %[[WHOLE:.*]] = shard.sharding @g split_axes = {{\[}}[]{{(, \[\])?}}] :
// CHECK: %[[C:.*]] = linalg.matmul
// CHECK: shard.shard %[[C]] to %[[WHOLE]] : tensor<8x32xf32>

shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<8x16xf32>, %b_in: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<8x16xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %b_in : tensor<8x16xf32>, tensor<16x32xf32>)
      outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %whole = shard.sharding @g split_axes = [[], []] : !shard.sharding
  %pinned = shard.shard %c to %whole : tensor<8x32xf32>
  return %pinned : tensor<8x32xf32>
}
