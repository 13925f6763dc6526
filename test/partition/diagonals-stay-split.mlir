// A diagonal is read where its rows lie, and written into all columns of them: of rows nothing moves, of
// blocks the diagonal's elements alone.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gt]|exchange)}}'
#diag = affine_map<(i) -> (i, i)>
#vec = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
shard.grid @g(shape = 2x2)
// CHECK-LABEL: func.func @rows
// CHECK-NOT: shard.all_reduce
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}] : tensor<4x8xf32>
// CHECK: arith.cmpi eq
// CHECK: arith.select
// CHECK: -> tensor<4x8xf32>
func.func @rows(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %xs = shard.shard %x to %s : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#diag, #vec], iterator_types = ["parallel"]}
      ins(%xs : tensor<8x8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = math.absf %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#vec, #diag], iterator_types = ["parallel"]}
      ins(%d : tensor<8xf32>) outs(%xs : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @trace_of_blocks
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}] : tensor<4x4xf32>
// CHECK: shard.all_reduce {{.*}} : tensor<f32> -> tensor<f32>
// CHECK-NOT: shard.all_reduce
func.func @trace_of_blocks(%x: tensor<8x8xf32>) -> tensor<f32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %xs = shard.shard %x to %s : tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %t = linalg.generic {indexing_maps = [#diag, #none], iterator_types = ["reduction"]}
      ins(%xs : tensor<8x8xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %t : tensor<f32>
}
