// Partial sums pass through sums with whole values, which count on one device, and through what makes
// them smaller: the least is reduced.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @second_product
// CHECK: %[[R:.*]] = arith.select {{.*}} : tensor<12x20xf32>
// CHECK: %[[P:.*]] = linalg.matmul {{.*}} -> tensor<12x20xf32>
// CHECK: arith.addf %[[P]], %[[R]]
// CHECK: %[[Q:.*]] = linalg.matmul {{.*}} -> tensor<12x2xf32>
// CHECK: shard.all_reduce %[[Q]] {{.*}} : tensor<12x2xf32>
func.func @second_product(%a_in: tensor<12x16xf32>, %b: tensor<16x20xf32>, %r: tensor<12x20xf32>,
                          %w: tensor<20x2xf32>) -> tensor<12x2xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x20xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<12x20xf32>) -> tensor<12x20xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>) outs(%z : tensor<12x20xf32>) -> tensor<12x20xf32>
  %1 = arith.addf %0, %r : tensor<12x20xf32>
  %e2 = tensor.empty() : tensor<12x2xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<12x2xf32>) -> tensor<12x2xf32>
  %2 = linalg.matmul ins(%1, %w : tensor<12x20xf32>, tensor<20x2xf32>) outs(%z2 : tensor<12x2xf32>) -> tensor<12x2xf32>
  return %2 : tensor<12x2xf32>
}

// Several users that make it small are worth more than completing it for all of them.
// CHECK-LABEL: func.func @two_means
// CHECK-COUNT-2: shard.all_reduce {{.*}} : tensor<20xf32>
func.func @two_means(%a_in: tensor<12x16xf32>, %b: tensor<16x20xf32>, %s: tensor<12x20xf32>) -> (tensor<20xf32>, tensor<20xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<20xf32>
  %e = tensor.empty() : tensor<12x20xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<12x20xf32>) -> tensor<12x20xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<12x16xf32>, tensor<16x20xf32>) outs(%z : tensor<12x20xf32>) -> tensor<12x20xf32>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<12x20xf32>) outs(%zeros : tensor<20xf32>) dimensions = [0]
  %2 = arith.mulf %0, %s : tensor<12x20xf32>
  %3 = linalg.reduce { arith.addf } ins(%2 : tensor<12x20xf32>) outs(%zeros : tensor<20xf32>) dimensions = [0]
  return %1, %3 : tensor<20xf32>, tensor<20xf32>
}

// Maxima with whole values need no care: repeated, they are the same.
// CHECK-LABEL: func.func @maxima
// CHECK-NOT: arith.select
// CHECK: arith.maximumf
// CHECK: linalg.reduce
// CHECK: shard.all_reduce {{.*}} reduction = max : tensor<f32>
func.func @maxima(%x_in: tensor<8x6xf32>, %w: tensor<6xf32>) -> tensor<f32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x6xf32>
  %low = arith.constant dense<0xFF800000> : tensor<6xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<f32>
  %p = linalg.reduce { arith.maximumf } ins(%x : tensor<8x6xf32>) outs(%low : tensor<6xf32>) dimensions = [0]
  %q = arith.maximumf %p, %w : tensor<6xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%q : tensor<6xf32>) outs(%lowest : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}
