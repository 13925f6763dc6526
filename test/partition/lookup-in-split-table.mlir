// Rows that are looked up in a table that is split along its rows: each device gives those that it
// has and zeros for the others, and the sum is the only message. The table is not gathered.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' | FileCheck %s
shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<8x6xf32>
// CHECK-NOT: all_gather
// CHECK: linalg.generic
// CHECK: %[[TOKEN:.*]] = arith.index_cast
// CHECK: %[[LOCAL:.*]] = arith.subi %[[TOKEN]],
// CHECK: %[[HERE:.*]] = arith.cmpi ult, %[[LOCAL]],
// CHECK: %[[ROW:.*]] = arith.select %[[HERE]], %[[LOCAL]],
// CHECK: %[[V:.*]] = tensor.extract %{{.*}}[%[[ROW]], %{{.*}}] : tensor<8x6xf32>
// CHECK: %[[MASKED:.*]] = arith.select %[[HERE]], %[[V]],
// CHECK: linalg.yield %[[MASKED]]
// CHECK: shard.all_reduce
// CHECK-NOT: shard.all
func.func @main(%table_in: tensor<32x6xf32>, %tokens: tensor<10xi32>) -> tensor<10x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %s : tensor<32x6xf32>
  %empty = tensor.empty() : tensor<10x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%tokens : tensor<10xi32>) outs(%empty : tensor<10x6xf32>) {
  ^bb0(%token: i32, %out: f32):
    %row = arith.index_cast %token : i32 to index
    %d = linalg.index 1 : index
    %v = tensor.extract %table[%row, %d] : tensor<32x6xf32>
    linalg.yield %v : f32
  } -> tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}
