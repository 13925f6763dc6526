// A bag of embeddings, its table split by rows and its bags over the same devices: each device looks
// up what it has of all bags and sums that, and the sums are completed, not the rows.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @bag
// CHECK: shard.all_gather {{.*}} : tensor<8x12xi32> -> tensor<32x12xi32>
// CHECK: tensor.extract
// CHECK: linalg.reduce
// CHECK: shard.reduce_scatter {{.*}} : tensor<32x64xf32> -> tensor<8x64xf32>
func.func @bag(%table_in: tensor<512x64xf32>, %places_in: tensor<32x12xi32>) -> tensor<32x64xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %s : tensor<512x64xf32>
  %places = shard.shard %places_in to %s : tensor<32x12xi32>
  %zeros = arith.constant dense<0.0> : tensor<32x64xf32>
  %e = tensor.empty() : tensor<32x12x64xf32>
  %rows = linalg.generic {
      indexing_maps = [affine_map<(b, k, d) -> (b, k)>, affine_map<(b, k, d) -> (b, k, d)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%places : tensor<32x12xi32>) outs(%e : tensor<32x12x64xf32>) {
  ^bb0(%place: i32, %out: f32):
    %row = arith.index_cast %place : i32 to index
    %d = linalg.index 2 : index
    %x = tensor.extract %table[%row, %d] : tensor<512x64xf32>
    linalg.yield %x : f32
  } -> tensor<32x12x64xf32>
  %sums = linalg.reduce { arith.addf } ins(%rows : tensor<32x12x64xf32>)
      outs(%zeros : tensor<32x64xf32>) dimensions = [1]
  return %sums : tensor<32x64xf32>
}
