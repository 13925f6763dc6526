// A split summed dimension: one all-reduce of the result, and nothing else.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%{{.*}}: tensor<12x4xf32> {{.*}}, %{{.*}}: tensor<4x20xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<12x4xf32>, tensor<4x20xf32>) outs({{.*}} : tensor<12x20xf32>)
// CHECK: shard.all_reduce {{.*}} on @g grid_axes = [0] : tensor<12x20xf32> -> tensor<12x20xf32>

shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<12x16xf32>, %b_in: tensor<16x20xf32>) -> tensor<12x20xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %b = shard.shard %b_in to %rows : tensor<16x20xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x20xf32>) -> tensor<12x20xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  %whole = shard.sharding @g split_axes = [[], []] : !shard.sharding
  %pinned = shard.shard %c to %whole : tensor<12x20xf32>
  return %pinned : tensor<12x20xf32>
}
