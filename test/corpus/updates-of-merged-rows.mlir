// One element of each row is updated, where data says: the rows are merged to one loop, and the list of places
// has a dimension of one element more than what is added. It is all on the device that has the row.
// RUN-CHECK: --grid 4,2,3 --range 1=0:7
shard.grid @g(shape = 4)
#rows = affine_map<(i, j, k) -> (i, j, k)>
func.func @main(%z_in: tensor<8x5x7xf32>, %at_in: tensor<8x5xi32>, %add_in: tensor<8x5xf32>) -> tensor<8x5x7xf32> {
  %s3 = shard.sharding @g split_axes = [[0], [], []] : !shard.sharding
  %s2 = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %z = shard.shard %z_in to %s3 : tensor<8x5x7xf32>
  %at = shard.shard %at_in to %s2 : tensor<8x5xi32>
  %add = shard.shard %add_in to %s2 : tensor<8x5xf32>
  %e = tensor.empty() : tensor<8x5x1xi32>
  %i = linalg.generic {indexing_maps = [#rows], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<8x5x1xi32>) {
  ^bb0(%o: i32):
    %n = linalg.index 0 : index
    %c = arith.index_cast %n : index to i32
    linalg.yield %c : i32
  } -> tensor<8x5x1xi32>
  %j = linalg.generic {indexing_maps = [#rows], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<8x5x1xi32>) {
  ^bb0(%o: i32):
    %n = linalg.index 1 : index
    %c = arith.index_cast %n : index to i32
    linalg.yield %c : i32
  } -> tensor<8x5x1xi32>
  %k = tensor.expand_shape %at [[0], [1, 2]] output_shape [8, 5, 1] : tensor<8x5xi32> into tensor<8x5x1xi32>
  %list = tensor.concat dim(2) %i, %j, %k : (tensor<8x5x1xi32>, tensor<8x5x1xi32>, tensor<8x5x1xi32>) -> tensor<8x5x3xi32>
  %four = tensor.expand_shape %list [[0], [1, 2], [3]] output_shape [8, 5, 1, 3] : tensor<8x5x3xi32> into tensor<8x5x1x3xi32>
  %places = tensor.collapse_shape %four [[0, 1, 2], [3]] : tensor<8x5x1x3xi32> into tensor<40x3xi32>
  %added = tensor.collapse_shape %add [[0, 1]] : tensor<8x5xf32> into tensor<40xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, n) -> (n)>, affine_map<(a, b, c, n) -> (n, 0)>, affine_map<(a, b, c, n) -> (n, 1)>, affine_map<(a, b, c, n) -> (n, 2)>, affine_map<(a, b, c, n) -> (a, b, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%added, %places, %places, %places : tensor<40xf32>, tensor<40x3xi32>, tensor<40x3xi32>, tensor<40x3xi32>) outs(%z : tensor<8x5x7xf32>) {
  ^bb0(%v: f32, %p0: i32, %p1: i32, %p2: i32, %o: f32):
    %n0 = linalg.index 0 : index
    %n1 = linalg.index 1 : index
    %n2 = linalg.index 2 : index
    %q0 = arith.index_cast %p0 : i32 to index
    %q1 = arith.index_cast %p1 : i32 to index
    %q2 = arith.index_cast %p2 : i32 to index
    %e0 = arith.cmpi eq, %n0, %q0 : index
    %e1 = arith.cmpi eq, %n1, %q1 : index
    %e2 = arith.cmpi eq, %n2, %q2 : index
    %e01 = arith.andi %e0, %e1 : i1
    %hit = arith.andi %e01, %e2 : i1
    %none = arith.constant 0.0 : f32
    %some = arith.select %hit, %v, %none : f32
    %sum = arith.addf %o, %some : f32
    linalg.yield %sum : f32
  } -> tensor<8x5x7xf32>
  return %r : tensor<8x5x7xf32>
}
