// The initial value of a split sum enters on one device only, zero elsewhere.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: %[[INDEX:.*]] = shard.process_multi_index on @g axes = [0] : index
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[INDEX]],
// CHECK: %[[INIT:.*]] = arith.select %[[FIRST]], %arg2, %{{.*}} : tensor<12x20xf32>
// CHECK: linalg.matmul {{.*}} outs(%[[INIT]] : tensor<12x20xf32>)
// CHECK: shard.all_reduce

shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<12x160xf32>, %b: tensor<160x20xf32>, %init: tensor<12x20xf32>)
    -> tensor<12x20xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x160xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x160xf32>, tensor<160x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  return %c : tensor<12x20xf32>
}
