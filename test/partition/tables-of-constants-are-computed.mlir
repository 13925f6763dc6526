// A table made of indices alone is computed by each device, as far as it needs it, and not received:
// here all of it, so that what is multiplied with it moves to where its columns are and back.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @main
// CHECK: shard.all_to_all {{.*}} : tensor<8x32xf32> -> tensor<32x8xf32>
// CHECK: linalg.matmul {{.*}}tensor<32x32xf32>, tensor<32x8xf32>
// CHECK: shard.all_to_all {{.*}} : tensor<32x8xf32> -> tensor<8x32xf32>
func.func @main(%x_in: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<32x32xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %places = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<32x32xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %product = arith.muli %i, %j : index
    %cast = arith.index_cast %product : index to i32
    %float = arith.sitofp %cast : i32 to f32
    linalg.yield %float : f32
  } -> tensor<32x32xf32>
  %table = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%places : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %cos = math.cos %in : f32
    linalg.yield %cos : f32
  } -> tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %y = linalg.matmul ins(%table, %x : tensor<32x32xf32>, tensor<32x32xf32>)
      outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}
