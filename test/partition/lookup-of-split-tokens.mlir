// Tokens and the table are split over the same devices: all get all tokens, which are few bytes, look up
// what they have, and each receives the sums of the rows of its own tokens. What follows is shared.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[rt]|exchange)}}'
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[rt]|exchange)}}'
shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @main
// CHECK: shard.all_gather {{.*}} : tensor<4xi32> -> tensor<16xi32>
// CHECK: shard.reduce_scatter {{.*}} : tensor<16x32xf32> -> tensor<4x32xf32>
// CHECK: math.tanh {{.*}} : tensor<4x32xf32>
func.func @main(%table_in: tensor<1024x32xf32>, %tokens_in: tensor<16xi32>) -> tensor<16x32xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %s : tensor<1024x32xf32>
  %tokens = shard.shard %tokens_in to %s : tensor<16xi32>
  %empty = tensor.empty() : tensor<16x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%tokens : tensor<16xi32>) outs(%empty : tensor<16x32xf32>) {
  ^bb0(%token: i32, %out: f32):
    %row = arith.index_cast %token : i32 to index
    %d = linalg.index 1 : index
    %v = tensor.extract %table[%row, %d] : tensor<1024x32xf32>
    linalg.yield %v : f32
  } -> tensor<16x32xf32>
  %h = math.tanh %r : tensor<16x32xf32>
  return %h : tensor<16x32xf32>
}
