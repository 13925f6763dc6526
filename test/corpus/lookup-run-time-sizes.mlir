// Tables and lists of places whose extents only the launch knows; pieces of no rows at all.
// RUN-CHECK: --grid 1,2,4,8 --shape 0=5x6 --shape 1=9 --seed 1
// RUN-CHECK: --grid 3,5 --shape 0=13x6 --shape 1=4 --seed 2
shard.grid @g(shape = 4)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%table_in: tensor<?x6xf32>, %ids: tensor<?xi32> {tessera.range = [0, 5]}, %three_in: tensor<3x6xf32>)
    -> (tensor<?x6xf32>, tensor<?x6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %rows : tensor<?x6xf32>
  %three = shard.shard %three_in to %rows : tensor<3x6xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?x6xf32>
  %r = linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<?xi32>) outs(%e : tensor<?x6xf32>) {
  ^bb0(%id: i32, %out: f32):
    %p = arith.index_cast %id : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%p, %j] : tensor<?x6xf32>
    linalg.yield %v : f32
  } -> tensor<?x6xf32>
  %s = linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<?xi32>) outs(%e : tensor<?x6xf32>) {
  ^bb0(%id: i32, %out: f32):
    %p = arith.index_cast %id : i32 to index
    %q = arith.minsi %p, %c2 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %three[%q, %j] : tensor<3x6xf32>
    linalg.yield %v : f32
  } -> tensor<?x6xf32>
  return %r, %s : tensor<?x6xf32>, tensor<?x6xf32>
}
