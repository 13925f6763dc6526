// Indices stay global where the extent that places a shard is known at run time only.
// RUN-CHECK: --grid 1x1,2x2,4x1,3x2 --seed 1 --shape 0=7x9 --range 1=11:12
// RUN-CHECK: --grid 2x2,4x2 --seed 2 --shape 0=1x2 --range 1=3:4
// RUN-CHECK: --grid 2x2,2x4 --seed 3 --shape 0=16x8 --range 1=8:9
#id = affine_map<(i, j) -> (i, j)>
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<?x?xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?x4xi64>, tensor<?xi64>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%x : tensor<?x?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %later = arith.cmpi ugt, %j, %i : index
    %zero = arith.constant 0.0 : f32
    %r = arith.select %later, %zero, %o : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %g = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %p = arith.muli %i, %n : index
    %q = arith.addi %p, %j : index
    %v = arith.index_cast %q : index to i64
    tensor.yield %v : i64
  } : tensor<?x4xi64>
  %gs = shard.shard %g to %rows : tensor<?x4xi64>
  %e = tensor.empty(%n) : tensor<?xi64>
  %iota = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i64
    linalg.yield %v : i64
  } -> tensor<?xi64>
  %is = shard.shard %iota to %rows : tensor<?xi64>
  return %y, %gs, %is : tensor<?x?xf32>, tensor<?x4xi64>, tensor<?xi64>
}
