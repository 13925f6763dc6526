// The annotation of the result reaches the rows of one operand and the columns of the other.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-DAG: %[[ROWS:.*]] = shard.sharding @g split_axes = {{\[}}[0]{{(, \[\])?}}] :
// CHECK-DAG: %[[COLUMNS:.*]] = shard.sharding @g split_axes = {{\[}}[], [1]] :
// CHECK-DAG: shard.shard %arg0 to %[[ROWS]] : tensor<8x16xf32>
// CHECK-DAG: shard.shard %arg1 to %[[COLUMNS]] : tensor<16x32xf32>
// CHECK: linalg.matmul

shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<8x16xf32>, %b_in: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
  %c = linalg.matmul ins(%a_in, %b_in : tensor<8x16xf32>, tensor<16x32xf32>)
      outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  %r = shard.shard %c to %both : tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}
