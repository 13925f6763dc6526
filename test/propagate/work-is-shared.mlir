// One factor of all pairs needs x whole, the other its rows: that x is gathered anyway is no reason to
// spread the rows on every device and to cut them then. Propagating twice says the same.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' -o %t.once
// RUN: %mlir_opt %t.once --pass-pipeline='builtin.module(tessera-propagate)' -o %t.twice
// RUN: cmp %t.once %t.twice
shard.grid @grid(shape = 4)
#rows = affine_map<(i, j, k) -> (i, k)>
#others = affine_map<(i, j, k) -> (j, k)>
#pairs = affine_map<(i, j, k) -> (i, j, k)>

// CHECK: %[[ALL:.*]] = shard.all_gather %arg0
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<2x3xf32>) outs(%{{.*}} : tensor<2x8x3xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[ALL]] : tensor<8x3xf32>) outs(%{{.*}} : tensor<2x8x3xf32>)
func.func @pairs(%x_in: tensor<8x3xf32>) -> tensor<8x8xf32> {
  %split = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<8x3xf32>
  %empty = tensor.empty() : tensor<8x8x3xf32>
  %a = linalg.generic {indexing_maps = [#rows, #pairs], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<8x3xf32>) outs(%empty : tensor<8x8x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8x3xf32>
  %b = linalg.generic {indexing_maps = [#others, #pairs], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<8x3xf32>) outs(%empty : tensor<8x8x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8x3xf32>
  %c = linalg.sub ins(%a, %b : tensor<8x8x3xf32>, tensor<8x8x3xf32>) outs(%empty : tensor<8x8x3xf32>) -> tensor<8x8x3xf32>
  %d = linalg.mul ins(%c, %c : tensor<8x8x3xf32>, tensor<8x8x3xf32>) outs(%empty : tensor<8x8x3xf32>) -> tensor<8x8x3xf32>
  %zero = arith.constant 0.0 : f32
  %square = tensor.empty() : tensor<8x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%square : tensor<8x8xf32>) -> tensor<8x8xf32>
  %distances = linalg.reduce { arith.addf } ins(%d : tensor<8x8x3xf32>) outs(%zeros : tensor<8x8xf32>) dimensions = [2]
  return %distances : tensor<8x8xf32>
}
