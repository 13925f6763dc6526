// A table that is smaller than what is read of it is gathered; so are the few rows that are added to
// a large table, rather than the sum of tables combined.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' | FileCheck %s
shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @small_table
// CHECK: shard.all_gather {{.*}} -> tensor<16x6xf32>
// CHECK-NOT: shard.all
// CHECK: return
func.func @small_table(%table_in: tensor<16x6xf32>, %tokens: tensor<1000xi32>) -> tensor<1000x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %s : tensor<16x6xf32>
  %empty = tensor.empty() : tensor<1000x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%tokens : tensor<1000xi32>) outs(%empty : tensor<1000x6xf32>) {
  ^bb0(%token: i32, %out: f32):
    %row = arith.index_cast %token : i32 to index
    %d = linalg.index 1 : index
    %v = tensor.extract %table[%row, %d] : tensor<16x6xf32>
    linalg.yield %v : f32
  } -> tensor<1000x6xf32>
  return %r : tensor<1000x6xf32>
}
// CHECK-LABEL: func.func @gradient
// CHECK-DAG: shard.all_gather {{.*}} -> tensor<8x6xf32>
// CHECK-DAG: shard.all_gather {{.*}} -> tensor<8x1xi32>
// CHECK-NOT: shard.all
// CHECK: return
func.func @gradient(%rows_in: tensor<8x6xf32>, %ids_in: tensor<8x1xi32>) -> tensor<1000x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %rows = shard.shard %rows_in to %s : tensor<8x6xf32>
  %ids = shard.shard %ids_in to %s : tensor<8x1xi32>
  %zero = arith.constant dense<0.0> : tensor<1000x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (t, 0)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows, %ids : tensor<8x6xf32>, tensor<8x1xi32>) outs(%zero : tensor<1000x6xf32>) {
  ^bb0(%u: f32, %id: i32, %acc: f32):
    %v = linalg.index 0 : index
    %p = arith.index_cast %id : i32 to index
    %c = arith.cmpi eq, %v, %p : index
    %s1 = arith.addf %acc, %u : f32
    %m = arith.select %c, %s1, %acc : f32
    linalg.yield %m : f32
  } -> tensor<1000x6xf32>
  return %r : tensor<1000x6xf32>
}
// Rows that are summed up behind the lookup are summed on the devices that have them: what is
// combined is the sums, which are less than the table.
// CHECK-LABEL: func.func @bags
// CHECK-NOT: shard.all
// CHECK: shard.all_reduce {{.*}} : tensor<10x6xf32>
// CHECK-NOT: shard.all
// CHECK: return
func.func @bags(%table_in: tensor<64x6xf32>, %tokens: tensor<10x16xi32>) -> tensor<10x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %s : tensor<64x6xf32>
  %empty = tensor.empty() : tensor<10x16x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, t, d) -> (b, t)>, affine_map<(b, t, d) -> (b, t, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%tokens : tensor<10x16xi32>) outs(%empty : tensor<10x16x6xf32>) {
  ^bb0(%token: i32, %out: f32):
    %row = arith.index_cast %token : i32 to index
    %d = linalg.index 2 : index
    %v = tensor.extract %table[%row, %d] : tensor<64x6xf32>
    linalg.yield %v : f32
  } -> tensor<10x16x6xf32>
  %zero = arith.constant dense<0.0> : tensor<10x6xf32>
  %sums = linalg.reduce { arith.addf } ins(%r : tensor<10x16x6xf32>) outs(%zero : tensor<10x6xf32>) dimensions = [1]
  return %sums : tensor<10x6xf32>
}
