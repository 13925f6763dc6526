// Blocks that nothing reaches may use values before their definition: they are dropped.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: tensor<4x4xf32>
// CHECK-NOT: ^bb
// CHECK: return
// CHECK-NOT: ^bb

shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x4xf32>
  return %x : tensor<8x4xf32>
^bb1:
  %r = arith.addf %q, %y : tensor<8x4xf32>
  %q = arith.addf %x, %r : tensor<8x4xf32>
  return %r : tensor<8x4xf32>
^bb2:
  %y = arith.mulf %x, %x : tensor<8x4xf32>
  cf.br ^bb1
}
