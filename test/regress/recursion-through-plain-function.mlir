// A cycle of calls is refused although the function that closes it has no annotations itself.
// RUN: not %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' 2>&1 | FileCheck %s
// RUN: not %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition)' 2>&1 | FileCheck %s

// CHECK: recursion-through-plain-function.mlir:[[# @LINE + 11]]:8: error: recursive call of @annotated, which is annotated
// CHECK-NOT: error

shard.grid @g(shape = 2x2)
func.func @annotated(%x_in: tensor<4xf32>) -> tensor<4xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<4xf32>
  %r = func.call @plain(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @plain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = func.call @annotated(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
