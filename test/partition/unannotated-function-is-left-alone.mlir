// A function without annotations is the program of one device: it stays as it is.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @per_device(%[[X:.*]]: tensor<12x8xf32>) -> tensor<12x8xf32> {
// CHECK-NEXT: %[[S:.*]] = shard.all_reduce %[[X]] on @g grid_axes = [0] : tensor<12x8xf32> -> tensor<12x8xf32>
// CHECK-NEXT: return %[[S]] : tensor<12x8xf32>
// CHECK: func.func @plain(%[[Y:.*]]: tensor<12x8xf32>) -> tensor<12x8xf32> {
// CHECK-NEXT: return %[[Y]]

shard.grid @g(shape = 4)
func.func @per_device(%x: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %y = shard.all_reduce %x on @g grid_axes = [0] : tensor<12x8xf32> -> tensor<12x8xf32>
  return %y : tensor<12x8xf32>
}
func.func @plain(%x: tensor<12x8xf32>) -> tensor<12x8xf32> {
  return %x : tensor<12x8xf32>
}
func.func @annotated(%x_in: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x8xf32>
  return %x : tensor<12x8xf32>
}
