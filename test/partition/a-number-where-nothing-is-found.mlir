// Rows of a split table, NaN in place of those that there are none of, and sums of them: the number counts on one device
// of the group, so that what is found stays in parts until it is summed up.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' | FileCheck %s
shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @main
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: shard.all_reduce %[[SUM]] {{.*}} tensor<64x32xf32> -> tensor<64x32xf32>
// CHECK-NOT: shard.{{reduce|all}}
// CHECK: return
func.func @main(%table_in: tensor<8192x32xf32>, %at: tensor<64x8xi32>, %weights: tensor<64x8xf32>) -> tensor<64x32xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %table = shard.shard %table_in to %rows : tensor<8192x32xf32>
  %nan = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 8191 : i32
  %e0 = tensor.empty() : tensor<64x8xi1>
  %is = linalg.generic {indexing_maps = [affine_map<(n, b) -> (n, b)>, affine_map<(n, b) -> (n, b)>],
                        iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<64x8xi32>) outs(%e0 : tensor<64x8xi1>) {
  ^bb0(%i: i32, %o: i1):
    %c = arith.cmpi ule, %i, %most : i32
    linalg.yield %c : i1
  } -> tensor<64x8xi1>
  %e1 = tensor.empty() : tensor<64x8x32xf32>
  %found = linalg.generic {indexing_maps = [affine_map<(n, b, d) -> (n, b)>, affine_map<(n, b, d) -> (n, b, d)>],
                           iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%at : tensor<64x8xi32>) outs(%e1 : tensor<64x8x32xf32>) {
  ^bb0(%i: i32, %o: f32):
    %inside = arith.minui %i, %most : i32
    %r = arith.index_cast %inside : i32 to index
    %d = linalg.index 2 : index
    %x = tensor.extract %table[%r, %d] : tensor<8192x32xf32>
    linalg.yield %x : f32
  } -> tensor<64x8x32xf32>
  %filled = linalg.generic {indexing_maps = [affine_map<(n, b, d) -> (n, b)>, affine_map<(n, b, d) -> (n, b, d)>,
                                             affine_map<(n, b, d) -> (n, b, d)>],
                            iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%is, %found : tensor<64x8xi1>, tensor<64x8x32xf32>) outs(%e1 : tensor<64x8x32xf32>) {
  ^bb0(%c: i1, %x: f32, %o: f32):
    %y = arith.select %c, %x, %nan : f32
    linalg.yield %y : f32
  } -> tensor<64x8x32xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %sums = linalg.generic {indexing_maps = [affine_map<(n, d, b) -> (n, b, d)>, affine_map<(n, d, b) -> (n, b)>,
                                           affine_map<(n, d, b) -> (n, d)>],
                          iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%filled, %weights : tensor<64x8x32xf32>, tensor<64x8xf32>) outs(%z2 : tensor<64x32xf32>) {
  ^bb0(%x: f32, %w: f32, %o: f32):
    %xw = arith.mulf %x, %w : f32
    %s = arith.addf %o, %xw : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %result = shard.shard %sums to %whole : tensor<64x32xf32>
  return %result : tensor<64x32xf32>
}

// A body that gives nothing has nothing to choose.
// CHECK-LABEL: func.func @nothing
func.func @nothing(%x_in: tensor<4xf32>) -> tensor<4xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<4xf32>
  linalg.generic {indexing_maps = [affine_map<(n) -> (n)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    linalg.yield
  }
  return %x : tensor<4xf32>
}
