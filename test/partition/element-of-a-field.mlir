// The inside of a field is computed for the pieces of the field that it goes into, also where one element of it is
// looked at besides: that moves, and the rows of what has one row less.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @probed
// CHECK: tessera.exchange %arg2 {{.*}} : tensor<?x200xf32> -> tensor<?x200xf32>
// CHECK: tessera.exchange %arg0 {{.*}} -> tensor<1x1xf32>
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: tessera.exchange %[[SUM]] {{.*}} -> tensor<1x1xf32>
func.func @probed(%e_in: tensor<256x200xf32>, %h_in: tensor<256x200xf32>, %g_in: tensor<255x200xf32>)
    -> (tensor<256x200xf32>, tensor<1x1xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %e = shard.shard %e_in to %rows : tensor<256x200xf32>
  %h = shard.shard %h_in to %rows : tensor<256x200xf32>
  %g = shard.shard %g_in to %rows : tensor<255x200xf32>
  %zero = arith.constant 0.0 : f32
  %behind = tensor.extract_slice %g[1, 0] [254, 200] [1, 1] : tensor<255x200xf32> to tensor<254x200xf32>
  %before = tensor.extract_slice %g[0, 0] [254, 200] [1, 1] : tensor<255x200xf32> to tensor<254x200xf32>
  %slope = arith.subf %behind, %before : tensor<254x200xf32>
  %inside = tensor.extract_slice %h[1, 0] [254, 200] [1, 1] : tensor<256x200xf32> to tensor<254x200xf32>
  %twice = arith.mulf %inside, %inside : tensor<254x200xf32>
  %sum = arith.addf %slope, %twice : tensor<254x200xf32>
  %p = tensor.pad %sum low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<254x200xf32> to tensor<256x200xf32>
  %next = arith.addf %e, %p : tensor<256x200xf32>
  %probe = tensor.extract_slice %next[128, 100] [1, 1] [1, 1] : tensor<256x200xf32> to tensor<1x1xf32>
  return %next, %probe : tensor<256x200xf32>, tensor<1x1xf32>
}
