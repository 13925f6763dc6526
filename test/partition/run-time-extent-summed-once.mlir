// The global extent of a split dimension is the sum of the shards', found once; the offset of an
// index, the size of a gathered tensor and tensor.dim all take it.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='shard.all_reduce'

// CHECK: func.func @main(%[[X:.*]]: tensor<?x8xf32>
// CHECK: %[[HELD:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x8xf32>
// CHECK: %[[MINE:.*]] = tensor.from_elements %[[HELD]] : tensor<index>
// CHECK: %[[ALL:.*]] = shard.all_reduce %[[MINE]] on @g grid_axes = [0] : tensor<index> -> tensor<index>
// CHECK: %[[N:.*]] = tensor.extract %[[ALL]][] : tensor<index>
// CHECK: arith.divui %[[N]], %c4
// CHECK: linalg.generic
// CHECK: tessera.all_gather %{{.*}} on @g grid_axes = [0] gather_axis = 0 sizes(%[[N]]) : tensor<?x8xf32> -> tensor<?x8xf32>
// CHECK: return %{{.*}}, %[[N]]

#id = affine_map<(i, j) -> (i, j)>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<?x8xf32>) -> (tensor<?x8xf32>, index) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x8xf32>
  %c0 = arith.constant 0 : index
  %y = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%x : tensor<?x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %r = arith.addf %o, %f : f32
    linalg.yield %r : f32
  } -> tensor<?x8xf32>
  %ys = shard.shard %y to %rows : tensor<?x8xf32>
  %yw = shard.shard %ys to %whole annotate_for_users : tensor<?x8xf32>
  %n = tensor.dim %yw, %c0 : tensor<?x8xf32>
  return %yw, %n : tensor<?x8xf32>, index
}
