// A maximum wants the sum of a partial product, so the all-reduce comes before it.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: linalg.matmul
// CHECK: %[[SUM:.*]] = shard.all_reduce {{.*}} grid_axes = [0]
// CHECK: arith.maximumf {{.*}}%[[SUM]]

shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<12x16xf32>, %b: tensor<16x8xf32>, %c: tensor<12x8xf32>)
    -> tensor<12x8xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %d = shard.shard %c to %whole : tensor<12x8xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x8xf32>) -> tensor<12x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x8xf32>)
      outs(%init : tensor<12x8xf32>) -> tensor<12x8xf32>
  %m = arith.maximumf %d, %p : tensor<12x8xf32>
  %r = shard.shard %m to %whole : tensor<12x8xf32>
  return %r : tensor<12x8xf32>
}
