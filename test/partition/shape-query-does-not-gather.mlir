// tensor.dim of a split tensor is the global size, and needs no collective.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK-DAG: %[[TEN:.*]] = arith.constant 10 : index
// CHECK: return %[[TEN]] : index

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x8xf32>) -> index {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<10x8xf32>
  return %n : index
}
