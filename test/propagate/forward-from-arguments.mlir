// The rows of the first operand and the columns of the second reach the result.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-DAG: %[[ROWS:.*]] = shard.sharding @g split_axes = {{\[}}[0]] :
// CHECK-DAG: %[[COLUMNS:.*]] = shard.sharding @g split_axes = {{\[}}[], [1]] :
// CHECK-DAG: shard.shard %arg0 to %[[ROWS]] : tensor<8x16xf32>
// CHECK-DAG: shard.shard %arg1 to %[[COLUMNS]] : tensor<16x32xf32>
// CHECK-DAG: %[[BOTH:.*]] = shard.sharding @g split_axes = {{\[}}[0], [1]] :
// CHECK: %[[C:.*]] = linalg.matmul
// CHECK: %[[D:.*]] = shard.shard %[[C]] to %[[BOTH]] : tensor<8x32xf32>
// CHECK: %[[R:.*]] = shard.shard %[[D]] to %[[BOTH]] annotate_for_users
// CHECK: return %[[R]]

shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<8x16xf32>, %b_in: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %a = shard.shard %a_in to %rows : tensor<8x16xf32>
  %b = shard.shard %b_in to %columns : tensor<16x32xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x32xf32>)
      outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %c : tensor<8x32xf32>
}
