// One number of each row, at a column that data says, is set or added to: the row's own index stands
// beside the column in a list of pairs, as importers write the gradient of a loss. Of two in one row the
// last one counts.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
#rows = affine_map<(r, c, k) -> (k)>
#first = affine_map<(r, c, k) -> (k, 0)>
#second = affine_map<(r, c, k) -> (k, 1)>
#table = affine_map<(r, c, k) -> (r, c)>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<20x7xf32>, %u_in: tensor<20xf32>, %t_in: tensor<20x1xi64> {tessera.range = [-2, 8]})
    -> (tensor<20x7xf32>, tensor<20x7xf32>, tensor<20x7xf32>) {
  %s1 = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s1 : tensor<20x7xf32>
  %u = shard.shard %u_in to %s1 : tensor<20xf32>
  %t = shard.shard %t_in to %s1 : tensor<20x1xi64>
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c20 = arith.constant 20 : index
  %none = arith.constant 0 : i64
  %e = tensor.empty() : tensor<20x1xi64>
  // Two results, of a loop for the first of their dimensions alone.
  %pair:2 = linalg.generic {indexing_maps = [affine_map<(k) -> (k, 0)>, affine_map<(k) -> (k, 0)>], iterator_types = ["parallel"]}
      outs(%e, %e : tensor<20x1xi64>, tensor<20x1xi64>) {
  ^bb0(%a: i64, %b: i64):
    %k = linalg.index 0 : index
    %rest = arith.remsi %k, %c20 : index
    %column = tensor.extract %t[%rest, %c0] : tensor<20x1xi64>
    %row = arith.index_cast %rest : index to i64
    linalg.yield %row, %column : i64, i64
  } -> (tensor<20x1xi64>, tensor<20x1xi64>)
  %ep = tensor.empty() : tensor<20x2xi64>
  %zeros = linalg.fill ins(%none : i64) outs(%ep : tensor<20x2xi64>) -> tensor<20x2xi64>
  %half = tensor.insert_slice %pair#0 into %zeros[0, 0] [20, 1] [1, 1] : tensor<20x1xi64> into tensor<20x2xi64>
  %at = tensor.insert_slice %pair#1 into %half[0, 1] [20, 1] [1, 1] : tensor<20x1xi64> into tensor<20x2xi64>
  %set = linalg.generic {indexing_maps = [#rows, #first, #second, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u, %at, %at : tensor<20xf32>, tensor<20x2xi64>, tensor<20x2xi64>) outs(%x : tensor<20x7xf32>) {
  ^bb0(%new: f32, %at0: i64, %at1: i64, %old: f32):
    %i0 = linalg.index 0 : index
    %p0 = arith.index_cast %at0 : i64 to index
    %same0 = arith.cmpi eq, %i0, %p0 : index
    %i1 = linalg.index 1 : index
    %p1 = arith.index_cast %at1 : i64 to index
    %same1 = arith.cmpi eq, %i1, %p1 : index
    %here = arith.andi %same0, %same1 : i1
    %kept = arith.select %here, %new, %old : f32
    linalg.yield %kept : f32
  } -> tensor<20x7xf32>
  // The comparison of the row behind the other one.
  %added = linalg.generic {indexing_maps = [#rows, #first, #second, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u, %at, %at : tensor<20xf32>, tensor<20x2xi64>, tensor<20x2xi64>) outs(%set : tensor<20x7xf32>) {
  ^bb0(%new: f32, %at0: i64, %at1: i64, %old: f32):
    %i1 = linalg.index 1 : index
    %p1 = arith.index_cast %at1 : i64 to index
    %same1 = arith.cmpi eq, %p1, %i1 : index
    %i0 = linalg.index 0 : index
    %p0 = arith.index_cast %at0 : i64 to index
    %same0 = arith.cmpi eq, %i0, %p0 : index
    %here = arith.andi %same1, %same0 : i1
    %sum = arith.addf %old, %new : f32
    %kept = arith.select %here, %sum, %old : f32
    linalg.yield %kept : f32
  } -> tensor<20x7xf32>
  // Rows that come round: the rest is not the index.
  %rounds = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%ep : tensor<20x2xi64>) {
  ^bb0(%a: i64):
    %k = linalg.index 0 : index
    %j = linalg.index 1 : index
    %rest = arith.remsi %k, %c10 : index
    %column = tensor.extract %t[%k, %c0] : tensor<20x1xi64>
    %row = arith.index_cast %rest : index to i64
    %is_row = arith.cmpi eq, %j, %c0 : index
    %place = arith.select %is_row, %row, %column : i64
    linalg.yield %place : i64
  } -> tensor<20x2xi64>
  %wrapped = linalg.generic {indexing_maps = [#rows, #first, #second, #table], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u, %rounds, %rounds : tensor<20xf32>, tensor<20x2xi64>, tensor<20x2xi64>) outs(%x : tensor<20x7xf32>) {
  ^bb0(%new: f32, %at0: i64, %at1: i64, %old: f32):
    %i0 = linalg.index 0 : index
    %p0 = arith.index_cast %at0 : i64 to index
    %same0 = arith.cmpi eq, %i0, %p0 : index
    %i1 = linalg.index 1 : index
    %p1 = arith.index_cast %at1 : i64 to index
    %same1 = arith.cmpi eq, %i1, %p1 : index
    %here = arith.andi %same0, %same1 : i1
    %kept = arith.select %here, %new, %old : f32
    linalg.yield %kept : f32
  } -> tensor<20x7xf32>
  return %set, %added, %wrapped : tensor<20x7xf32>, tensor<20x7xf32>, tensor<20x7xf32>
}
