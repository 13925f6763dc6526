// Each kind of resharding as the op that carries it out.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' | FileCheck %s

shard.grid @g(shape = 2x2)

// Both axes of a dimension go in one gather, in the order that splits it.
// CHECK-LABEL: func @gather
// CHECK: shard.all_gather %{{.*}} on @g grid_axes = [1, 0] gather_axis = 0 : tensor<4x64xf32> -> tensor<16x64xf32>
// CHECK-NEXT: return
func.func @gather(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %s = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %y = shard.shard %x to %s : tensor<16x64xf32>
  %t = shard.sharding @g split_axes = [[]] : !shard.sharding
  %z = shard.shard %y to %t annotate_for_users : tensor<16x64xf32>
  return %z : tensor<16x64xf32>
}

// What nobody needs is dropped before anything moves.
// CHECK-LABEL: func @slice_first
// CHECK: shard.all_slice %{{.*}} on @g grid_axes = [1] slice_axis = 1 : tensor<8x64xf32> -> tensor<8x32xf32>
// CHECK-NEXT: shard.all_gather %{{.*}} on @g grid_axes = [0] gather_axis = 0 : tensor<8x32xf32> -> tensor<16x32xf32>
func.func @slice_first(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %y = shard.shard %x to %s : tensor<16x64xf32>
  %t = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %z = shard.shard %y to %t annotate_for_users : tensor<16x64xf32>
  return %z : tensor<16x64xf32>
}

// CHECK-LABEL: func @move
// CHECK: shard.all_to_all %{{.*}} on @g grid_axes = [0] split_axis = 1 concat_axis = 0 : tensor<8x64xf32> -> tensor<16x32xf32>
// CHECK-NEXT: return
func.func @move(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %y = shard.shard %x to %s : tensor<16x64xf32>
  %t = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %z = shard.shard %y to %t annotate_for_users : tensor<16x64xf32>
  return %z : tensor<16x64xf32>
}

// No sequence of collectives swaps two axes at the price of what devices lack.
// CHECK-LABEL: func @swap
// CHECK: tessera.exchange %{{.*}} from
// CHECK-SAME{LITERAL}: factors = [[[16, [0]]], [[64, [1]]]]
// CHECK-SAME: to
// CHECK-SAME{LITERAL}: factors = [[[16, [1]]], [[64, [0]]]]
// CHECK-SAME: : tensor<8x32xf32> -> tensor<8x32xf32>
// CHECK-NEXT: return
func.func @swap(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %y = shard.shard %x to %s : tensor<16x64xf32>
  %t = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %z = shard.shard %y to %t annotate_for_users : tensor<16x64xf32>
  return %z : tensor<16x64xf32>
}

// 10 rows over 4 are 2, 2, 3, 3; the whole is known.
// CHECK-LABEL: func @uneven_gather
// CHECK: tessera.all_gather %{{.*}} on @g grid_axes = [0, 1] gather_axis = 0 : tensor<?x64xf32> -> tensor<10x64xf32>
// CHECK-NEXT: return
func.func @uneven_gather(%x: tensor<10x64xf32>) -> tensor<10x64xf32> {
  %s = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %y = shard.shard %x to %s : tensor<10x64xf32>
  %t = shard.sharding @g split_axes = [[]] : !shard.sharding
  %z = shard.shard %y to %t annotate_for_users : tensor<10x64xf32>
  return %z : tensor<10x64xf32>
}

// 2 + 2 and 3 + 3 are not 5 and 5: dropping the inner axis is no gather.
// CHECK-LABEL: func @uneven_offsets
// CHECK-NOT: all_gather %{{.*}} grid_axes = [1]
// CHECK: tessera.exchange %{{.*}} : tensor<?x64xf32> -> tensor<5x64xf32>
// CHECK-NEXT: return
func.func @uneven_offsets(%x: tensor<10x64xf32>) -> tensor<10x64xf32> {
  %s = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %y = shard.shard %x to %s : tensor<10x64xf32>
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %z = shard.shard %y to %t annotate_for_users : tensor<10x64xf32>
  return %z : tensor<10x64xf32>
}

// CHECK-LABEL: func @uneven_slice
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}, 0] [%{{.*}}, 64] [1, 1] : tensor<10x64xf32> to tensor<?x64xf32>
// CHECK-NEXT: return
func.func @uneven_slice(%x: tensor<10x64xf32>) -> tensor<10x64xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %y = shard.shard %x to %s : tensor<10x64xf32>
  %t = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %z = shard.shard %y to %t annotate_for_users : tensor<10x64xf32>
  return %z : tensor<10x64xf32>
}

// The inner factor moves on its own, on the expanded shape.
// CHECK-LABEL: func @factor
// CHECK: %[[E:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [2, 2, 64]
// CHECK-NEXT: %[[A:.*]] = shard.all_to_all %[[E]] on @g grid_axes = [1] split_axis = 2 concat_axis = 1 : tensor<2x2x64xf32> -> tensor<2x4x32xf32>
// CHECK-NEXT: tensor.collapse_shape %[[A]] {{\[\[}}0, 1], [2]] : tensor<2x4x32xf32> into tensor<8x32xf32>
func.func @factor(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %s = shard.sharding @g split_axes = [[0, 1], []] {tessera.factors = [[[4, [0]], [4, [1]]], [[64, []]]]} : !shard.sharding
  %y = shard.shard %x to %s : tensor<16x64xf32>
  %t = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %z = shard.shard %y to %t annotate_for_users : tensor<16x64xf32>
  return %z : tensor<16x64xf32>
}

// A partial product whose rows are wanted split: one reduce-scatter, no all-reduce.
// CHECK-LABEL: func @partial_to_split
// CHECK: linalg.matmul
// CHECK-NEXT: shard.reduce_scatter %{{.*}} on @g grid_axes = [0, 1] scatter_axis = 0 : tensor<16x64xf32> -> tensor<4x64xf32>
// CHECK-NEXT: return
func.func @partial_to_split(%a: tensor<16x256xf32>, %b: tensor<256x64xf32>) -> tensor<16x64xf32> {
  %columns = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %a0 = shard.shard %a to %columns : tensor<16x256xf32>
  %b0 = shard.shard %b to %rows : tensor<256x64xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x64xf32>) -> tensor<16x64xf32>
  %c = linalg.matmul ins(%a0, %b0 : tensor<16x256xf32>, tensor<256x64xf32>)
                     outs(%init : tensor<16x64xf32>) -> tensor<16x64xf32>
  %c0 = shard.shard %c to %rows : tensor<16x64xf32>
  return %c0 : tensor<16x64xf32>
}
