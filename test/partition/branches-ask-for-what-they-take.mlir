// Of two branches one is taken: each gathers the factor that its product needs, in it, rather than both
// one and the other turning what is left to another dimension and back.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition,tessera-optimize)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @either
// CHECK: scf.if
// CHECK: shard.all_gather {{.*}} : tensor<16x64xf32> -> tensor<64x64xf32>
// CHECK: linalg.matmul
// CHECK: else
// CHECK: shard.all_gather {{.*}} : tensor<16x64xf32> -> tensor<64x64xf32>
// CHECK: linalg.matmul
// CHECK: return
func.func @either(%p: i1, %x_in: tensor<64x64xf32>, %w_in: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x64xf32>
  %w = shard.shard %w_in to %rows : tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.if %p -> (tensor<64x64xf32>) {
    %a = linalg.matmul ins(%w, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %a : tensor<64x64xf32>
  } else {
    %a = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %a : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
