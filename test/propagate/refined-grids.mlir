// A function whose annotations are on several grids is on the one that refines the others: the same
// devices in the same order, an axis of 8 as 2x4. Calls between such functions pass pieces.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' -o %t
// RUN: FileCheck %s --check-prefix=FINE < %t
// RUN: %mlir_opt %t --pass-pipeline='builtin.module(canonicalize,cse,tessera-partition)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition)' | FileCheck %s

shard.grid @g(shape = 8)
shard.grid @fine(shape = 2x4)

// FINE-LABEL: func.func @sub_axes(
// FINE-SAME: grid = @fine
// CHECK-LABEL: func.func @sub_axes(
// CHECK-SAME: %arg0: tensor<2x8xf32> {{.*}}%arg1: tensor<8x2xf32>
// CHECK-SAME: -> (tensor<2x8xf32>
// Data moves over the inner half of the axis alone.
// CHECK: all_to_all {{.*}} on @fine grid_axes = [1]
func.func @sub_axes(%x_in: tensor<16x8xf32>, %y_in: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %outer = shard.sharding @fine split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<16x8xf32>
  %y = shard.shard %y_in to %outer : tensor<16x8xf32>
  %z = shard.shard %y to %rows annotate_for_users : tensor<16x8xf32>
  %r = arith.addf %x, %z : tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// CHECK-LABEL: func.func private @coarse(
// CHECK-SAME: tensor<2x8xf32>
func.func private @coarse(%x_in: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<16x8xf32>
  %r = math.tanh %x : tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @calls(
// CHECK-SAME: %arg0: tensor<2x8xf32>
// CHECK-NOT: all_gather
// CHECK: call @coarse(%{{.*}}) : (tensor<2x8xf32>) -> tensor<2x8xf32>
// CHECK-NOT: all_gather
// CHECK: return
func.func @calls(%x_in: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %rows = shard.sharding @fine split_axes = [[0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<16x8xf32>
  %r = call @coarse(%x) : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %s = shard.shard %r to %rows : tensor<16x8xf32>
  %t = math.absf %s : tensor<16x8xf32>
  return %t : tensor<16x8xf32>
}
