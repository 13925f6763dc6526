// Sums of what comes behind, written as reversals around sums of what comes before: one total a device
// moves, and nothing is turned around.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[rt]|reduce_scatter|exchange)}}' --implicit-check-not='-d1'
#backwards = affine_map<(r, i) -> (r, -i + 11)>
#same = affine_map<(r, i) -> (r, i)>
#in = affine_map<(r, i, k) -> (r, k)>
#out = affine_map<(r, i, k) -> (r, i)>
shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @main
// CHECK: shard.all_gather {{.*}} -> tensor<4x6x1xf32>
func.func @main(%x_in: tensor<6x12xf32>) -> (tensor<6x12xf32>, tensor<6x12xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x12xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x12xf32>
  %r = linalg.generic {indexing_maps = [#backwards, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<6x12xf32>) outs(%e : tensor<6x12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x12xf32>) -> tensor<6x12xf32>
  %sum = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%r : tensor<6x12xf32>) outs(%z : tensor<6x12xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %k = linalg.index 2 : index
    %counts = arith.cmpi ule, %k, %i : index
    %m = arith.select %counts, %a, %zero : f32
    %0 = arith.addf %b, %m : f32
    linalg.yield %0 : f32
  } -> tensor<6x12xf32>
  %t = linalg.generic {indexing_maps = [#backwards, #same], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<6x12xf32>) outs(%e : tensor<6x12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6x12xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e : tensor<6x12xf32>) -> tensor<6x12xf32>
  %before = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%r : tensor<6x12xf32>) outs(%z2 : tensor<6x12xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %k = linalg.index 2 : index
    %counts = arith.cmpi sgt, %i, %k : index
    %m = arith.select %counts, %a, %zero : f32
    %0 = arith.addf %b, %m : f32
    linalg.yield %0 : f32
  } -> tensor<6x12xf32>
  %u = linalg.generic {indexing_maps = [#backwards, #same], iterator_types = ["parallel", "parallel"]}
      ins(%before : tensor<6x12xf32>) outs(%e : tensor<6x12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6x12xf32>
  return %t, %u : tensor<6x12xf32>, tensor<6x12xf32>
}

// Started with a value for each row, which is its own reversal along the rows.
// CHECK-LABEL: func.func @started
// CHECK: shard.all_gather {{.*}} -> tensor<4x6x1xf32>
func.func @started(%x_in: tensor<6x12xf32>, %start: tensor<6xf32>) -> tensor<6x12xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x12xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x12xf32>
  %r = linalg.generic {indexing_maps = [#backwards, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<6x12xf32>) outs(%e : tensor<6x12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6x12xf32>
  %z = linalg.generic {indexing_maps = [affine_map<(r, i) -> (r)>, #same], iterator_types = ["parallel", "parallel"]}
      ins(%start : tensor<6xf32>) outs(%e : tensor<6x12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6x12xf32>
  %sum = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%r : tensor<6x12xf32>) outs(%z : tensor<6x12xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %k = linalg.index 2 : index
    %counts = arith.cmpi ule, %k, %i : index
    %m = arith.select %counts, %a, %zero : f32
    %0 = arith.addf %b, %m : f32
    linalg.yield %0 : f32
  } -> tensor<6x12xf32>
  %t = linalg.generic {indexing_maps = [#backwards, #same], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<6x12xf32>) outs(%e : tensor<6x12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6x12xf32>
  return %t : tensor<6x12xf32>
}
