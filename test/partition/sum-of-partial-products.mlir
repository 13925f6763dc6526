// a@b + c@d: the partial products are added first, and one all-reduce follows.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK-COUNT-2: linalg.matmul
// CHECK: arith.addf {{.*}} : tensor<12x20xf32>
// CHECK: shard.all_reduce {{.*}} on @g grid_axes = [0] : tensor<12x20xf32> -> tensor<12x20xf32>

shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<12x16xf32>, %b: tensor<16x20xf32>, %c_in: tensor<12x16xf32>,
                %d: tensor<16x20xf32>) -> tensor<12x20xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %c = shard.shard %c_in to %columns : tensor<12x16xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x20xf32>) -> tensor<12x20xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  %1 = linalg.matmul ins(%c, %d : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  %sum = arith.addf %0, %1 : tensor<12x20xf32>
  %whole = shard.sharding @g split_axes = [[], []] : !shard.sharding
  %pinned = shard.shard %sum to %whole : tensor<12x20xf32>
  return %pinned : tensor<12x20xf32>
}
