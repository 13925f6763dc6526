// The gradient of a table, whose rows data says, is laid out as the table where it is returned: of few rows each
// device receives its part of the sum, and of many the indices and rows move instead.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false},tessera-partition,canonicalize,cse)' | FileCheck %s

shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @few
// CHECK: shard.all_gather {{.*}} : tensor<4x4xf32> -> tensor<16x4xf32>
// CHECK-NOT: shard.all
// CHECK: shard.reduce_scatter {{.*}} : tensor<16x4xf32> -> tensor<4x4xf32>
// CHECK-NOT: shard.all
// CHECK: return
func.func @few(%t_in: tensor<16x4xf32>, %i_in: tensor<24x1xi32>, %y_in: tensor<24x4xf32>) -> tensor<16x4xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %t = shard.shard %t_in to %s : tensor<16x4xf32>
  %i = shard.shard %i_in to %s : tensor<24x1xi32>
  %y = shard.shard %y_in to %s : tensor<24x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<16x4xf32>
  %ee = tensor.empty() : tensor<24x4xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b, d) -> (b, 0)>, affine_map<(b, d) -> (b, d)>, affine_map<(b, d) -> (b, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%i, %y : tensor<24x1xi32>, tensor<24x4xf32>) outs(%ee : tensor<24x4xf32>) {
  ^bb0(%k: i32, %p: f32, %o: f32):
    %row = arith.index_cast %k : i32 to index
    %d = linalg.index 1 : index
    %v = tensor.extract %t[%row, %d] : tensor<16x4xf32>
    %1 = arith.subf %v, %p : f32
    linalg.yield %1 : f32
  } -> tensor<24x4xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e, %i : tensor<24x4xf32>, tensor<24x1xi32>) outs(%zeros : tensor<16x4xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %zero = arith.constant 0.0 : f32
    %m = arith.select %is, %u, %zero : f32
    %1 = arith.addf %o, %m : f32
    linalg.yield %1 : f32
  } -> tensor<16x4xf32>
  return %g : tensor<16x4xf32>
}

// CHECK-LABEL: func.func @many
// CHECK-NOT: tensor<64x4xf32> -> tensor<16x4xf32>
// CHECK: shard.all_gather {{.*}} : tensor<6x4xf32> -> tensor<24x4xf32>
// CHECK-NOT: tensor<64x4xf32> -> tensor<16x4xf32>
// CHECK: return
func.func @many(%t_in: tensor<64x4xf32>, %i_in: tensor<24x1xi32>, %y_in: tensor<24x4xf32>) -> tensor<64x4xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %t = shard.shard %t_in to %s : tensor<64x4xf32>
  %i = shard.shard %i_in to %s : tensor<24x1xi32>
  %y = shard.shard %y_in to %s : tensor<24x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x4xf32>
  %ee = tensor.empty() : tensor<24x4xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b, d) -> (b, 0)>, affine_map<(b, d) -> (b, d)>, affine_map<(b, d) -> (b, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%i, %y : tensor<24x1xi32>, tensor<24x4xf32>) outs(%ee : tensor<24x4xf32>) {
  ^bb0(%k: i32, %p: f32, %o: f32):
    %row = arith.index_cast %k : i32 to index
    %d = linalg.index 1 : index
    %v = tensor.extract %t[%row, %d] : tensor<64x4xf32>
    %1 = arith.subf %v, %p : f32
    linalg.yield %1 : f32
  } -> tensor<24x4xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e, %i : tensor<24x4xf32>, tensor<24x1xi32>) outs(%zeros : tensor<64x4xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %zero = arith.constant 0.0 : f32
    %m = arith.select %is, %u, %zero : f32
    %1 = arith.addf %o, %m : f32
    linalg.yield %1 : f32
  } -> tensor<64x4xf32>
  return %g : tensor<64x4xf32>
}
