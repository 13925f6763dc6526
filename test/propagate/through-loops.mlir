// What scf.for carries has one layout: of the initial value, the block argument and the result.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[R:.*]] = scf.for
// CHECK-NOT: split_axes = {{\[\[\](, \[\])?\]}}
// CHECK: return

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<8x12xf32>, %y_in: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x12xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %r = scf.for %i = %zero to %three step %one iter_args(%v = %x) -> (tensor<8x12xf32>) {
    %w = arith.mulf %v, %y_in : tensor<8x12xf32>
    scf.yield %w : tensor<8x12xf32>
  }
  return %r : tensor<8x12xf32>
}
