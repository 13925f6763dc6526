// Bodies that compute with what they look up: not linearly, from two tables over two axes, at a
// place that is itself looked up, in reductions; what cannot be put together stays whole.
// RUN-CHECK: --grid 2x2,1x3,3x1,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#i = affine_map<(i) -> (i)>
#ij = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%t_in: tensor<10x6xf64>, %u_in: tensor<7x6xf64>, %next_in: tensor<9xi32> {tessera.range = [0, 10]},
                %ids: tensor<8xi32> {tessera.range = [0, 7]}, %x: tensor<8x6xf64>,
                %bags_in: tensor<5x4xi32> {tessera.range = [0, 10]}, %init: tensor<5xf64>)
    -> (tensor<8x6xf64>, tensor<8x6xf64>, tensor<8x6xf64>, tensor<8x6xf64>, tensor<5xf64>, tensor<5xf64>, tensor<8xf64>) {
  %rows0 = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %rows1 = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %t = shard.shard %t_in to %rows0 : tensor<10x6xf64>
  %u = shard.shard %u_in to %rows1 : tensor<7x6xf64>
  %next = shard.shard %next_in to %rows1 : tensor<9xi32>
  %bags = shard.shard %bags_in to %rows1 : tensor<5x4xi32>
  %e = tensor.empty() : tensor<8x6xf64>
  %c2 = arith.constant 2.0 : f64
  %r0 = linalg.generic {indexing_maps = [#row, #ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %x : tensor<8xi32>, tensor<8x6xf64>) outs(%e : tensor<8x6xf64>) {
  ^bb0(%id: i32, %y: f64, %out: f64):
    %p = arith.index_cast %id : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%p, %j] : tensor<10x6xf64>
    %w = math.exp %v : f64
    %z = arith.addf %w, %y : f64
    %s = arith.maximumf %z, %c2 : f64
    linalg.yield %s : f64
  } -> tensor<8x6xf64>
  %r1 = linalg.generic {indexing_maps = [#row, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<8xi32>) outs(%e : tensor<8x6xf64>) {
  ^bb0(%id: i32, %out: f64):
    %p = arith.index_cast %id : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%p, %j] : tensor<10x6xf64>
    %w = tensor.extract %u[%p, %j] : tensor<7x6xf64>
    %z = arith.addf %v, %w : f64
    linalg.yield %z : f64
  } -> tensor<8x6xf64>
  %r2 = linalg.generic {indexing_maps = [#row, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<8xi32>) outs(%e : tensor<8x6xf64>) {
  ^bb0(%id: i32, %out: f64):
    %p = arith.index_cast %id : i32 to index
    %q32 = tensor.extract %next[%p] : tensor<9xi32>
    %q = arith.index_cast %q32 : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%q, %j] : tensor<10x6xf64>
    linalg.yield %v : f64
  } -> tensor<8x6xf64>
  // Two places of one table.
  %c3 = arith.constant 3 : index
  %r3 = linalg.generic {indexing_maps = [#row, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<8xi32>) outs(%e : tensor<8x6xf64>) {
  ^bb0(%id: i32, %out: f64):
    %p = arith.index_cast %id : i32 to index
    %q = arith.addi %p, %c3 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%p, %j] : tensor<10x6xf64>
    %w = tensor.extract %t[%q, %j] : tensor<10x6xf64>
    %z = arith.mulf %v, %w : f64
    linalg.yield %z : f64
  } -> tensor<8x6xf64>
  // Bags: sums and maxima of rows, the initial value counts once.
  %c0 = arith.constant 0 : index
  %r4, %r5 = linalg.generic {indexing_maps = [#ij, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%bags : tensor<5x4xi32>) outs(%init, %init : tensor<5xf64>, tensor<5xf64>) {
  ^bb0(%id: i32, %sum: f64, %most: f64):
    %p = arith.index_cast %id : i32 to index
    %v = tensor.extract %t[%p, %c0] : tensor<10x6xf64>
    %s = arith.addf %sum, %v : f64
    %w = arith.mulf %v, %v : f64
    %s2 = arith.subf %most, %w : f64
    linalg.yield %s, %s2 : f64, f64
  } -> (tensor<5xf64>, tensor<5xf64>)
  // A result that reads what was there.
  %e7 = tensor.empty() : tensor<8xf64>
  %there = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%ids : tensor<8xi32>) outs(%e7 : tensor<8xf64>) {
  ^bb0(%id: i32, %out: f64):
    %f = arith.sitofp %id : i32 to f64
    linalg.yield %f : f64
  } -> tensor<8xf64>
  %r6 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%ids : tensor<8xi32>) outs(%there : tensor<8xf64>) {
  ^bb0(%id: i32, %out: f64):
    %p = arith.index_cast %id : i32 to index
    %v = tensor.extract %t[%p, %c0] : tensor<10x6xf64>
    %z = arith.addf %v, %out : f64
    linalg.yield %z : f64
  } -> tensor<8xf64>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6
      : tensor<8x6xf64>, tensor<8x6xf64>, tensor<8x6xf64>, tensor<8x6xf64>, tensor<5xf64>, tensor<5xf64>, tensor<8xf64>
}
