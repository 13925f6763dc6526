// Equal parts of a product, and equal tensors joined in front of one, are each split as by itself: what moves
// is a weight or its gradient, once, and no activation.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false},tessera-partition,canonicalize,cse)' | FileCheck %s

shard.grid @g(shape = 4)
// The parts of the product, in a dimension of their own, follow nothing but the weight: they stay split.
// CHECK-LABEL: func.func @gates
// CHECK-NOT: shard.all_gather
// CHECK: shard.all_to_all {{.*}} : tensor<64x1x8xf32> -> tensor<64x4x2xf32>
// CHECK-NOT: shard.all_gather
// CHECK: return {{.*}} : tensor<64x2xf32>
func.func @gates(%x: tensor<64x256xf32>, %w_in: tensor<256x32xf32>) -> tensor<64x8xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %w = shard.shard %w_in to %s : tensor<256x32xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x256xf32>, tensor<256x32xf32>) outs(%z : tensor<64x32xf32>) -> tensor<64x32xf32>
  %i = tensor.extract_slice %y[0, 0] [64, 8] [1, 1] : tensor<64x32xf32> to tensor<64x8xf32>
  %f = tensor.extract_slice %y[0, 8] [64, 8] [1, 1] : tensor<64x32xf32> to tensor<64x8xf32>
  %g = tensor.extract_slice %y[0, 16] [64, 8] [1, 1] : tensor<64x32xf32> to tensor<64x8xf32>
  %o = tensor.extract_slice %y[0, 24] [64, 8] [1, 1] : tensor<64x32xf32> to tensor<64x8xf32>
  %ig = arith.mulf %i, %g : tensor<64x8xf32>
  %fo = arith.mulf %f, %o : tensor<64x8xf32>
  %h = arith.addf %ig, %fo : tensor<64x8xf32>
  return %h : tensor<64x8xf32>
}

// The weight is reshuffled for both sides of the join at once.
// CHECK-LABEL: func.func @joined
// CHECK-NOT: tessera.exchange %arg{{[01]}}
// CHECK: tessera.exchange %arg2 {{.*}} to {{.*}}{{\[}}2, []], [16, [0]]]
// CHECK: linalg.matmul {{.*}} tensor<64x8xf32>, tensor<8x4xf32>
// CHECK: shard.all_reduce
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @joined(%a_in: tensor<64x16xf32>, %b_in: tensor<64x16xf32>, %w_in: tensor<32x4xf32>) -> tensor<64x4xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<64x16xf32>
  %b = shard.shard %b_in to %s : tensor<64x16xf32>
  %w = shard.shard %w_in to %rows : tensor<32x4xf32>
  %zero = arith.constant 0.0 : f32
  %je = tensor.empty() : tensor<64x32xf32>
  %j0 = tensor.insert_slice %a into %je[0, 0] [64, 16] [1, 1] : tensor<64x16xf32> into tensor<64x32xf32>
  %j = tensor.insert_slice %b into %j0[0, 16] [64, 16] [1, 1] : tensor<64x16xf32> into tensor<64x32xf32>
  %e = tensor.empty() : tensor<64x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x4xf32>) -> tensor<64x4xf32>
  %y = linalg.matmul ins(%j, %w : tensor<64x32xf32>, tensor<32x4xf32>) outs(%z : tensor<64x4xf32>) -> tensor<64x4xf32>
  %r = shard.shard %y to %whole : tensor<64x4xf32>
  return %r : tensor<64x4xf32>
}

// Parts that no product makes stay slices: what is asked of them are ranges.
// CHECK-LABEL: func.func @halves
// CHECK: tessera.exchange %arg0 {{.*}} offsets = [array<i64: 0, 2, 4, 6, 8>]
// CHECK: tessera.exchange %arg0 {{.*}} offsets = [array<i64: 8, 10, 12, 14, 16>]
func.func @halves(%x_in: tensor<16xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16xf32>
  %a = tensor.extract_slice %x[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %b = tensor.extract_slice %x[8] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %c = arith.addf %a, %b : tensor<8xf32>
  return %c : tensor<8xf32>
}
