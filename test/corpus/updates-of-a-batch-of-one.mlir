// A dimension of one element is split: its row is on one device, and the updates of it, merged with the other rows, too.
// RUN-CHECK: --grid 4,2,3 --range 1=0:7
shard.grid @g(shape = 4)
func.func @main(%z_in: tensor<1x6x2x7xf32>, %at_in: tensor<1x6x2xi32>, %add_in: tensor<1x6x2xf32>) -> tensor<1x6x2x7xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %z = shard.shard %z_in to %s : tensor<1x6x2x7xf32>
  %at = shard.shard %at_in to %s : tensor<1x6x2xi32>
  %add = shard.shard %add_in to %s : tensor<1x6x2xf32>
  %empty = tensor.empty() : tensor<1x6x2x1xi32>
  %batches = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%empty : tensor<1x6x2x1xi32>) {
  ^bb0(%o: i32):
    %n = linalg.index 0 : index
    %c = arith.index_cast %n : index to i32
    linalg.yield %c : i32
  } -> tensor<1x6x2x1xi32>
  %rows = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%empty : tensor<1x6x2x1xi32>) {
  ^bb0(%o: i32):
    %n = linalg.index 1 : index
    %c = arith.index_cast %n : index to i32
    linalg.yield %c : i32
  } -> tensor<1x6x2x1xi32>
  %columns = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%empty : tensor<1x6x2x1xi32>) {
  ^bb0(%o: i32):
    %n = linalg.index 2 : index
    %c = arith.index_cast %n : index to i32
    linalg.yield %c : i32
  } -> tensor<1x6x2x1xi32>
  %given = tensor.expand_shape %at [[0], [1], [2, 3]] output_shape [1, 6, 2, 1] : tensor<1x6x2xi32> into tensor<1x6x2x1xi32>
  %list = tensor.concat dim(3) %batches, %rows, %columns, %given : (tensor<1x6x2x1xi32>, tensor<1x6x2x1xi32>, tensor<1x6x2x1xi32>, tensor<1x6x2x1xi32>) -> tensor<1x6x2x4xi32>
  %places = tensor.collapse_shape %list [[0, 1, 2], [3]] : tensor<1x6x2x4xi32> into tensor<12x4xi32>
  %added = tensor.collapse_shape %add [[0, 1, 2]] : tensor<1x6x2xf32> into tensor<12xf32>
  %updated = linalg.generic {indexing_maps = [affine_map<(l0, l1, l2, l3, l4) -> (l4)>, affine_map<(l0, l1, l2, l3, l4) -> (l4, 0)>, affine_map<(l0, l1, l2, l3, l4) -> (l4, 1)>, affine_map<(l0, l1, l2, l3, l4) -> (l4, 2)>, affine_map<(l0, l1, l2, l3, l4) -> (l4, 3)>, affine_map<(l0, l1, l2, l3, l4) -> (l0, l1, l2, l3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%added, %places, %places, %places, %places : tensor<12xf32>, tensor<12x4xi32>, tensor<12x4xi32>, tensor<12x4xi32>, tensor<12x4xi32>) outs(%z : tensor<1x6x2x7xf32>) {
  ^bb0(%v: f32, %p0: i32, %p1: i32, %p2: i32, %p3: i32, %o: f32):
    %n0 = linalg.index 0 : index
    %q0 = arith.index_cast %p0 : i32 to index
    %e0 = arith.cmpi eq, %n0, %q0 : index
    %n1 = linalg.index 1 : index
    %q1 = arith.index_cast %p1 : i32 to index
    %e1 = arith.cmpi eq, %n1, %q1 : index
    %n2 = linalg.index 2 : index
    %q2 = arith.index_cast %p2 : i32 to index
    %e2 = arith.cmpi eq, %n2, %q2 : index
    %n3 = linalg.index 3 : index
    %q3 = arith.index_cast %p3 : i32 to index
    %e3 = arith.cmpi eq, %n3, %q3 : index
    %h1 = arith.andi %e0, %e1 : i1
    %h2 = arith.andi %h1, %e2 : i1
    %h3 = arith.andi %h2, %e3 : i1
    %s0 = arith.addf %o, %v : f32
    %r = arith.select %h3, %s0, %o : f32
    linalg.yield %r : f32
  } -> tensor<1x6x2x7xf32>
  return %updated : tensor<1x6x2x7xf32>
}
