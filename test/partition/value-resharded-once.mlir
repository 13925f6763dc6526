// Two uses that want the same other layout share one collective.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: shard.all_gather {{.*}} grid_axes = [0] gather_axis = 0

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x8xf32>) -> (tensor<12x8xf32>, tensor<12x8xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x8xf32>
  %a = shard.shard %x to %whole annotate_for_users : tensor<12x8xf32>
  %b = math.tanh %a : tensor<12x8xf32>
  %c = arith.mulf %a, %a : tensor<12x8xf32>
  %d = shard.shard %b to %whole : tensor<12x8xf32>
  %e = shard.shard %c to %whole : tensor<12x8xf32>
  return %d, %e : tensor<12x8xf32>, tensor<12x8xf32>
}
