// A table that a body reads has layouts like an operand: the dimension that follows a loop is split
// with it, both ways; places that are split split the rows that are read.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s
shard.grid @g(shape = 2x2)
// CHECK-DAG: %[[BOTH:.*]] = shard.sharding @g split_axes = {{\[\[}}0], [1]]
// CHECK-DAG: %[[COLUMNS:.*]] = shard.sharding @g split_axes = {{\[\[}}], [1]]
// CHECK-DAG: shard.shard %{{.*}} to %[[COLUMNS]] {{.*}}: tensor<9x6xf32>
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: tensor.extract
// CHECK: shard.shard %[[R]] to %[[BOTH]] : tensor<10x6xf32>
func.func @main(%table: tensor<9x6xf32>, %tokens_in: tensor<10xi32>, %x_in: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %tokens = shard.shard %tokens_in to %rows : tensor<10xi32>
  %x = shard.shard %x_in to %columns : tensor<10x6xf32>
  %empty = tensor.empty() : tensor<10x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%tokens : tensor<10xi32>) outs(%empty : tensor<10x6xf32>) {
  ^bb0(%token: i32, %out: f32):
    %row = arith.index_cast %token : i32 to index
    %d = linalg.index 1 : index
    %v = tensor.extract %table[%row, %d] : tensor<9x6xf32>
    linalg.yield %v : f32
  } -> tensor<10x6xf32>
  %s = arith.addf %r, %x : tensor<10x6xf32>
  return %s : tensor<10x6xf32>
}
