// The gradient of a pool as importers write it: updates of merged dimensions, each to its own image and
// channel, at a place in the plane that data says. Then images backwards, and channels that come round.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
// RUN-CHECK: --grid 2x2,2x3 --seed 1
#all = affine_map<(n, c, y, x, k) -> (n, c, y, x, k)>
#plane = affine_map<(n, c, y, x, k) -> (n, c, y, x)>
#update = affine_map<(n, c, y, x, u) -> (u)>
#image = affine_map<(n, c, y, x, u) -> (u, 0)>
#channel = affine_map<(n, c, y, x, u) -> (u, 1)>
#row = affine_map<(n, c, y, x, u) -> (u, 2)>
#column = affine_map<(n, c, y, x, u) -> (u, 3)>
#result = affine_map<(n, c, y, x, u) -> (n, c, y, x)>
shard.grid @g(shape = 2x2)
func.func @main(%u_in: tensor<4x6x2x3xf32>, %i_in: tensor<4x6x2x3xi64> {tessera.range = [0, 19]}, %into_in: tensor<4x6x4x5xf32>)
    -> (tensor<4x6x4x5xf32>, tensor<4x6x4x5xf32>, tensor<4x6x4x5xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %u = shard.shard %u_in to %s : tensor<4x6x2x3xf32>
  %i = shard.shard %i_in to %s : tensor<4x6x2x3xi64>
  %into = shard.shard %into_in to %s : tensor<4x6x4x5xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<4x6x2x3x4xi64>
  %straight = linalg.generic {indexing_maps = [#plane, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%i : tensor<4x6x2x3xi64>) outs(%e : tensor<4x6x2x3x4xi64>) {
  ^bb0(%place: i64, %o: i64):
    %p = arith.index_cast %place : i64 to index
    %k = linalg.index 4 : index
    %rest = arith.remsi %p, %c5 : index
    %is3 = arith.cmpi eq, %k, %c3 : index
    %v3 = arith.select %is3, %rest, %c0 : index
    %whole = arith.divsi %p, %c5 : index
    %is2 = arith.cmpi eq, %k, %c2 : index
    %v2 = arith.select %is2, %whole, %c0 : index
    %sum2 = arith.addi %v3, %v2 : index
    %n1 = linalg.index 1 : index
    %is1 = arith.cmpi eq, %k, %c1 : index
    %v1 = arith.select %is1, %n1, %c0 : index
    %sum1 = arith.addi %sum2, %v1 : index
    %n0 = linalg.index 0 : index
    %is0 = arith.cmpi eq, %k, %c0 : index
    %v0 = arith.select %is0, %n0, %c0 : index
    %sum0 = arith.addi %sum1, %v0 : index
    %r = arith.index_cast %sum0 : index to i64
    linalg.yield %r : i64
  } -> tensor<4x6x2x3x4xi64>
  %updates = tensor.collapse_shape %u [[0, 1, 2, 3]] : tensor<4x6x2x3xf32> into tensor<144xf32>
  %places = tensor.collapse_shape %straight [[0, 1, 2, 3], [4]] : tensor<4x6x2x3x4xi64> into tensor<144x4xi64>
  %added = linalg.generic {indexing_maps = [#update, #image, #channel, #row, #column, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%updates, %places, %places, %places, %places : tensor<144xf32>, tensor<144x4xi64>, tensor<144x4xi64>, tensor<144x4xi64>, tensor<144x4xi64>) outs(%into : tensor<4x6x4x5xf32>) {
  ^bb0(%new: f32, %at0: i64, %at1: i64, %at2: i64, %at3: i64, %old: f32):
    %i0 = linalg.index 0 : index
    %p0 = arith.index_cast %at0 : i64 to index
    %s0 = arith.cmpi eq, %i0, %p0 : index
    %i1 = linalg.index 1 : index
    %p1 = arith.index_cast %at1 : i64 to index
    %s1 = arith.cmpi eq, %i1, %p1 : index
    %i2 = linalg.index 2 : index
    %p2 = arith.index_cast %at2 : i64 to index
    %s2 = arith.cmpi eq, %i2, %p2 : index
    %i3 = linalg.index 3 : index
    %p3 = arith.index_cast %at3 : i64 to index
    %s3 = arith.cmpi eq, %i3, %p3 : index
    %h1 = arith.andi %s0, %s1 : i1
    %h2 = arith.andi %h1, %s2 : i1
    %h3 = arith.andi %h2, %s3 : i1
    %sum = arith.addf %old, %new : f32
    %kept = arith.select %h3, %sum, %old : f32
    linalg.yield %kept : f32
  } -> tensor<4x6x4x5xf32>
  %other = linalg.generic {indexing_maps = [#plane, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%i : tensor<4x6x2x3xi64>) outs(%e : tensor<4x6x2x3x4xi64>) {
  ^bb0(%place: i64, %o: i64):
    %p = arith.index_cast %place : i64 to index
    %k = linalg.index 4 : index
    %rest = arith.remsi %p, %c5 : index
    %is3 = arith.cmpi eq, %k, %c3 : index
    %v3 = arith.select %is3, %rest, %c0 : index
    %whole = arith.divsi %p, %c5 : index
    %is2 = arith.cmpi eq, %k, %c2 : index
    %v2 = arith.select %is2, %whole, %v3 : index
    %n1 = linalg.index 1 : index
    %round = arith.remsi %n1, %c2 : index
    %is1 = arith.cmpi eq, %k, %c1 : index
    %v1 = arith.select %is1, %round, %v2 : index
    %n0 = linalg.index 0 : index
    %back = arith.subi %c3, %n0 : index
    %is0 = arith.cmpi eq, %k, %c0 : index
    %v0 = arith.select %is0, %back, %v1 : index
    %r = arith.index_cast %v0 : index to i64
    linalg.yield %r : i64
  } -> tensor<4x6x2x3x4xi64>
  %others = tensor.collapse_shape %other [[0, 1, 2, 3], [4]] : tensor<4x6x2x3x4xi64> into tensor<144x4xi64>
  %backwards = linalg.generic {indexing_maps = [#update, #image, #channel, #row, #column, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%updates, %others, %others, %others, %others : tensor<144xf32>, tensor<144x4xi64>, tensor<144x4xi64>, tensor<144x4xi64>, tensor<144x4xi64>) outs(%into : tensor<4x6x4x5xf32>) {
  ^bb0(%new: f32, %at0: i64, %at1: i64, %at2: i64, %at3: i64, %old: f32):
    %i0 = linalg.index 0 : index
    %p0 = arith.index_cast %at0 : i64 to index
    %s0 = arith.cmpi eq, %i0, %p0 : index
    %i1 = linalg.index 1 : index
    %p1 = arith.index_cast %at1 : i64 to index
    %s1 = arith.cmpi eq, %i1, %p1 : index
    %i2 = linalg.index 2 : index
    %p2 = arith.index_cast %at2 : i64 to index
    %s2 = arith.cmpi eq, %i2, %p2 : index
    %i3 = linalg.index 3 : index
    %p3 = arith.index_cast %at3 : i64 to index
    %s3 = arith.cmpi eq, %i3, %p3 : index
    %h1 = arith.andi %s0, %s1 : i1
    %h2 = arith.andi %h1, %s2 : i1
    %h3 = arith.andi %h2, %s3 : i1
    %sum = arith.addf %old, %new : f32
    %kept = arith.select %h3, %sum, %old : f32
    linalg.yield %kept : f32
  } -> tensor<4x6x4x5xf32>
  // Of several updates to one place the last one counts.
  %set = linalg.generic {indexing_maps = [#update, #image, #channel, #row, #column, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%updates, %places, %places, %places, %places : tensor<144xf32>, tensor<144x4xi64>, tensor<144x4xi64>, tensor<144x4xi64>, tensor<144x4xi64>) outs(%into : tensor<4x6x4x5xf32>) {
  ^bb0(%new: f32, %at0: i64, %at1: i64, %at2: i64, %at3: i64, %old: f32):
    %i0 = linalg.index 0 : index
    %p0 = arith.index_cast %at0 : i64 to index
    %s0 = arith.cmpi eq, %i0, %p0 : index
    %i1 = linalg.index 1 : index
    %p1 = arith.index_cast %at1 : i64 to index
    %s1 = arith.cmpi eq, %i1, %p1 : index
    %i2 = linalg.index 2 : index
    %p2 = arith.index_cast %at2 : i64 to index
    %s2 = arith.cmpi eq, %i2, %p2 : index
    %i3 = linalg.index 3 : index
    %p3 = arith.index_cast %at3 : i64 to index
    %s3 = arith.cmpi eq, %i3, %p3 : index
    %h1 = arith.andi %s2, %s3 : i1
    %h2 = arith.andi %h1, %s0 : i1
    %h3 = arith.andi %h2, %s1 : i1
    %kept = arith.select %h3, %new, %old : f32
    linalg.yield %kept : f32
  } -> tensor<4x6x4x5xf32>
  return %added, %backwards, %set : tensor<4x6x4x5xf32>, tensor<4x6x4x5xf32>, tensor<4x6x4x5xf32>
}
