// Each loop of a product on its own axis: an all-reduce over the axis of the summed one alone.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%{{.*}}: tensor<6x8xf32> {{.*}}, %{{.*}}: tensor<8x10xf32> {{.*}}) -> (tensor<6x10xf32>
// CHECK: shard.all_reduce {{.*}} on @g grid_axes = [2] : tensor<6x10xf32> -> tensor<6x10xf32>

shard.grid @g(shape = 2x2x2)
func.func @main(%a_in: tensor<12x16xf32>, %b_in: tensor<16x20xf32>) -> tensor<12x20xf32> {
  %mk = shard.sharding @g split_axes = [[0], [2]] : !shard.sharding
  %kn = shard.sharding @g split_axes = [[2], [1]] : !shard.sharding
  %a = shard.shard %a_in to %mk : tensor<12x16xf32>
  %b = shard.shard %b_in to %kn : tensor<16x20xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x20xf32>) -> tensor<12x20xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>)
      outs(%init : tensor<12x20xf32>) -> tensor<12x20xf32>
  return %c : tensor<12x20xf32>
}
