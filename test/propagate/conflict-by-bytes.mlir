// Two operands want different things: the large one stays, the small one moves.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-DAG: %[[COLUMNS:.*]] = shard.sharding @g split_axes = {{\[}}[], [0]] :
// CHECK-DAG: %[[W:.*]] = shard.shard %arg1 to %[[COLUMNS]] : tensor<64x512xf32>
// CHECK: shard.shard %[[W]] to %[[COLUMNS]] annotate_for_users : tensor<64x512xf32>
// CHECK: %[[C:.*]] = linalg.matmul
// CHECK: shard.shard %[[C]] to %[[COLUMNS]] : tensor<4x512xf32>

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<4x64xf32>, %w_in: tensor<64x512xf32>) -> tensor<4x512xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<4x64xf32>
  %w = shard.shard %w_in to %columns : tensor<64x512xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x512xf32>) -> tensor<4x512xf32>
  %c = linalg.matmul ins(%x, %w : tensor<4x64xf32>, tensor<64x512xf32>)
      outs(%init : tensor<4x512xf32>) -> tensor<4x512xf32>
  return %c : tensor<4x512xf32>
}
