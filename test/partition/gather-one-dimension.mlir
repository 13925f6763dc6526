// From rows to whole: one all-gather.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%[[X:.*]]: tensor<3x8xf32> {{.*}}) -> (tensor<12x8xf32>
// CHECK: shard.all_gather %[[X]] on @g grid_axes = [0] gather_axis = 0 : tensor<3x8xf32> -> tensor<12x8xf32>

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x8xf32>
  %y = shard.shard %x to %whole annotate_for_users : tensor<12x8xf32>
  return %y : tensor<12x8xf32>
}
