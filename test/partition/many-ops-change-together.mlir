// A whole chain of ops is split otherwise where that is cheaper in the end, although each step of the way
// alone is dearer: attention over a split sequence moves to heads and back, rather than having keys
// and values everywhere; the large scores in between are never moved.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not=all_gather

#q = affine_map<(h, s, t, d) -> (s, h, d)>
#k = affine_map<(h, s, t, d) -> (t, h, d)>
#score = affine_map<(h, s, t, d) -> (h, s, t)>
shard.grid @g(shape = 4)

// CHECK-LABEL: @main
// CHECK-DAG: %[[Q:.*]] = shard.all_to_all %arg0
// CHECK-DAG: %[[K:.*]] = shard.all_to_all %arg1
// CHECK-DAG: %[[V:.*]] = shard.all_to_all %arg2
// CHECK: ins(%[[Q]], %[[K]] : tensor<512x2x32xf32>, tensor<512x2x32xf32>) outs({{.*}} : tensor<2x512x512xf32>)
// CHECK: %[[O:.*]] = linalg.generic {{.*}} ins({{.*}}, %[[V]] : tensor<2x512x512xf32>, tensor<512x2x32xf32>)
// CHECK: shard.all_to_all %[[O]]
func.func @main(%q_in: tensor<512x8x32xf32>, %k_in: tensor<512x8x32xf32>, %v_in: tensor<512x8x32xf32>)
    -> tensor<512x8x32xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %q = shard.shard %q_in to %rows : tensor<512x8x32xf32>
  %k = shard.shard %k_in to %rows : tensor<512x8x32xf32>
  %v = shard.shard %v_in to %rows : tensor<512x8x32xf32>
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<8x512x512xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #score], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<512x8x32xf32>, tensor<512x8x32xf32>) outs(%sf : tensor<8x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x512x512xf32>
  %low = arith.constant -1.0e30 : f32
  %me = tensor.empty() : tensor<8x512xf32>
  %mf = linalg.fill ins(%low : f32) outs(%me : tensor<8x512xf32>) -> tensor<8x512xf32>
  %m = linalg.reduce {arith.maximumf} ins(%s : tensor<8x512x512xf32>) outs(%mf : tensor<8x512xf32>) dimensions = [2]
  %mb = linalg.broadcast ins(%m : tensor<8x512xf32>) outs(%se : tensor<8x512x512xf32>) dimensions = [2]
  %d = arith.subf %s, %mb : tensor<8x512x512xf32>
  %e = math.exp %d : tensor<8x512x512xf32>
  %lf = linalg.fill ins(%zero : f32) outs(%me : tensor<8x512xf32>) -> tensor<8x512xf32>
  %l = linalg.reduce {arith.addf} ins(%e : tensor<8x512x512xf32>) outs(%lf : tensor<8x512xf32>) dimensions = [2]
  %lb = linalg.broadcast ins(%l : tensor<8x512xf32>) outs(%se : tensor<8x512x512xf32>) dimensions = [2]
  %p = arith.divf %e, %lb : tensor<8x512x512xf32>
  %oe = tensor.empty() : tensor<512x8x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<512x8x32xf32>) -> tensor<512x8x32xf32>
  %o = linalg.generic {indexing_maps = [#score, #k, #q], iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%p, %v : tensor<8x512x512xf32>, tensor<512x8x32xf32>) outs(%of : tensor<512x8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<512x8x32xf32>
  %r = shard.shard %o to %rows : tensor<512x8x32xf32>
  return %r : tensor<512x8x32xf32>
}
