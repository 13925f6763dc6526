// An annotation between two others that differ stays, though following them would move less.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[Y:.*]] = math.tanh
// CHECK: %[[S:.*]] = shard.shard %[[Y]] to %[[WHOLE:.*]] : tensor<8x12xf32>
// CHECK: return

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<8x12xf32>, %y_in: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x12xf32>
  %y = math.tanh %x : tensor<8x12xf32>
  %z = shard.shard %y to %whole : tensor<8x12xf32>
  %w = math.absf %z : tensor<8x12xf32>
  %r = shard.shard %w to %rows : tensor<8x12xf32>
  return %r : tensor<8x12xf32>
}
