// Updates of a split batch, of rows or of channels are written by whoever has these, without a message.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false},tessera-partition,canonicalize,cse)' | FileCheck %s

shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @batch(
// CHECK-NOT: shard.all_
// CHECK: linalg.generic
// CHECK-NOT: shard.all_
// CHECK: return {{.*}} : tensor<2x9x4xf32>
func.func @batch(%x_in: tensor<8x9x4xf32>, %at_in: tensor<8x3xi32>, %u_in: tensor<8x3x4xf32>) -> tensor<8x9x4xf32> {
  %batch = shard.sharding @g split_axes = [[0], [], []] : !shard.sharding
  %batch_of_places = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %batch : tensor<8x9x4xf32>
  %at = shard.shard %at_in to %batch_of_places : tensor<8x3xi32>
  %u = shard.shard %u_in to %batch : tensor<8x3x4xf32>
  %y = tosa.scatter %x, %at, %u : (tensor<8x9x4xf32>, tensor<8x3xi32>, tensor<8x3x4xf32>) -> tensor<8x9x4xf32>
  return %y : tensor<8x9x4xf32>
}

// CHECK-LABEL: func.func @rows(
// CHECK-NOT: shard.all_
// CHECK: return {{.*}} : tensor<2x3x4xf32>
func.func @rows(%x_in: tensor<2x12x4xf32>, %at: tensor<2x3xi32>, %u: tensor<2x3x4xf32>) -> tensor<2x12x4xf32> {
  %rows = shard.sharding @g split_axes = [[], [0], []] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<2x12x4xf32>
  %y = tosa.scatter %x, %at, %u : (tensor<2x12x4xf32>, tensor<2x3xi32>, tensor<2x3x4xf32>) -> tensor<2x12x4xf32>
  return %y : tensor<2x12x4xf32>
}
