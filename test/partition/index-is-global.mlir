// linalg.index of a split loop gets the offset of the device.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK-DAG: %[[I:.*]] = shard.process_multi_index on @g axes = [0] : index
// CHECK-DAG: %[[J:.*]] = shard.process_multi_index on @g axes = [1] : index
// CHECK-DAG: %[[AT_I:.*]] = arith.muli %[[I]], %c5
// CHECK-DAG: %[[AT_J:.*]] = arith.muli %[[J]], %c9
// CHECK: linalg.generic
// CHECK: %[[P:.*]] = linalg.index 0
// CHECK: arith.addi %[[P]], %[[AT_I]]
// CHECK: %[[Q:.*]] = linalg.index 1
// CHECK: arith.addi %[[Q]], %[[AT_J]]

shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
func.func @main(%x_in: tensor<10x18xi32>) -> tensor<10x18xi32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x18xi32>
  %hundred = arith.constant 100 : index
  %empty = tensor.empty() : tensor<10x18xi32>
  %iota = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<10x18xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.muli %i, %hundred : index
    %q = arith.addi %p, %j : index
    %r = arith.index_cast %q : index to i32
    linalg.yield %r : i32
  } -> tensor<10x18xi32>
  %sum = arith.addi %iota, %x : tensor<10x18xi32>
  return %sum : tensor<10x18xi32>
}
