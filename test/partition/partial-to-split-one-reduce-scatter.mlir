// A partial product that is wanted split: one reduce-scatter, no all-reduce. An annotation in between
// that asks for the whole, and that nobody uses, changes nothing.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: linalg.matmul {{.*}} -> tensor<12x8xf32>
// CHECK: shard.reduce_scatter {{.*}} on @g grid_axes = [0] scatter_axis = 0 : tensor<12x8xf32> -> tensor<3x8xf32>

shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<12x16xf32>, %b_in: tensor<16x8xf32>) -> tensor<12x8xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %b = shard.shard %b_in to %rows : tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x8xf32>) -> tensor<12x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x8xf32>)
      outs(%init : tensor<12x8xf32>) -> tensor<12x8xf32>
  %r = shard.shard %c to %rows annotate_for_users : tensor<12x8xf32>
  return %r : tensor<12x8xf32>
}

// CHECK-LABEL: func.func @whole_in_between
// CHECK: shard.reduce_scatter {{.*}} on @g grid_axes = [0] scatter_axis = 0 : tensor<12x8xf32> -> tensor<3x8xf32>
func.func @whole_in_between(%a_in: tensor<12x16xf32>, %b_in: tensor<16x8xf32>) -> tensor<12x8xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %b = shard.shard %b_in to %rows : tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x8xf32>) -> tensor<12x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x8xf32>)
      outs(%init : tensor<12x8xf32>) -> tensor<12x8xf32>
  %w = shard.shard %c to %whole : tensor<12x8xf32>
  %r = shard.shard %w to %rows annotate_for_users : tensor<12x8xf32>
  return %r : tensor<12x8xf32>
}

// Somebody wants the whole: it is made once, and the rest is cut out of it.
// CHECK-LABEL: func.func @whole_for_somebody
// CHECK: shard.all_reduce {{.*}} on @g grid_axes = [0] : tensor<12x8xf32>
func.func @whole_for_somebody(%a_in: tensor<12x16xf32>, %b_in: tensor<16x8xf32>) -> (tensor<12x8xf32>, tensor<12x8xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %b = shard.shard %b_in to %rows : tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x8xf32>) -> tensor<12x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x8xf32>)
      outs(%init : tensor<12x8xf32>) -> tensor<12x8xf32>
  %w = shard.shard %c to %whole : tensor<12x8xf32>
  %r = shard.shard %w to %rows annotate_for_users : tensor<12x8xf32>
  return %w, %r : tensor<12x8xf32>, tensor<12x8xf32>
}
