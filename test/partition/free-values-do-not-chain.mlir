// What reads a value that is built for each use is not built for each use itself: each op of a chain
// is there once, however often its result is used. What does not read it is, into an empty tensor.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' | FileCheck %s

// CHECK-LABEL: func.func @chain(
// CHECK-NOT: linalg.generic
// CHECK: linalg.fill
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT: linalg.{{fill|generic}}
// CHECK: return

// CHECK-LABEL: func.func @written_over(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[E]] : tensor<4xf32>)
// CHECK-NOT: shard.all_slice
// CHECK: return

#id = affine_map<(d0) -> (d0)>
shard.grid @g(shape = 4)
func.func @chain(%x_in: tensor<16xf32>) -> tensor<16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<16xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.fill ins(%one : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%0 : tensor<16xf32>) {
  ^bb0(%o: f32):
    %v = arith.addf %o, %o : f32
    linalg.yield %v : f32
  } -> tensor<16xf32>
  %2 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%1 : tensor<16xf32>) {
  ^bb0(%o: f32):
    %v = arith.addf %o, %o : f32
    linalg.yield %v : f32
  } -> tensor<16xf32>
  %3 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%2 : tensor<16xf32>) {
  ^bb0(%o: f32):
    %v = arith.addf %o, %o : f32
    linalg.yield %v : f32
  } -> tensor<16xf32>
  %a = arith.mulf %x, %1 : tensor<16xf32>
  %b = arith.addf %a, %2 : tensor<16xf32>
  %c = arith.mulf %b, %3 : tensor<16xf32>
  return %c : tensor<16xf32>
}

func.func @written_over(%x_in: tensor<16xf32>, %v: f32) -> tensor<16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<16xf32>
  %other = tensor.splat %v : tensor<16xf32>
  %0 = linalg.fill ins(%v : f32) outs(%other : tensor<16xf32>) -> tensor<16xf32>
  %a = arith.mulf %x, %0 : tensor<16xf32>
  return %a : tensor<16xf32>
}
