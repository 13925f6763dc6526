// Cumulative sums, products and maxima as importers write them, along a split dimension: from the
// front and from the back, with and without the element itself, under a condition, transposed.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2,1x7,3x5 --seed 1
shard.grid @g(shape = 2x2)
#in = affine_map<(i, j, k) -> (i, k)>
#out = affine_map<(i, j, k) -> (i, j)>
#turned = affine_map<(i, j, k) -> (j, i)>
func.func @main(%x_in: tensor<5x13xf64>, %n_in: tensor<13xi32>, %init: tensor<5x13xf64>)
    -> (tensor<5x13xf64>, tensor<13x5xf64>, tensor<13xi32>, tensor<5x13xf64>, tensor<5x13xf64>) {
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %both = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<5x13xf64>
  %n = shard.shard %n_in to %both : tensor<13xi32>
  %zero = arith.constant dense<0.0> : tensor<5x13xf64>
  %a = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<5x13xf64>) outs(%zero : tensor<5x13xf64>) {
  ^bb0(%in: f64, %acc: f64):
    %p = linalg.index 1 : index
    %r = linalg.index 2 : index
    %c = arith.cmpi ule, %r, %p : index
    %c0 = arith.constant 0.0 : f64
    %m = arith.select %c, %in, %c0 : f64
    %s = arith.addf %acc, %m : f64
    linalg.yield %s : f64
  } -> tensor<5x13xf64>
  // From the back, without the element; the first result dimension.
  %empty = tensor.empty() : tensor<13x5xf64>
  %three = arith.constant 3.0 : f64
  %start = linalg.fill ins(%three : f64) outs(%empty : tensor<13x5xf64>) -> tensor<13x5xf64>
  %b = linalg.generic {indexing_maps = [#in, #turned], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<5x13xf64>) outs(%start : tensor<13x5xf64>) {
  ^bb0(%in: f64, %acc: f64):
    %p = linalg.index 1 : index
    %r = linalg.index 2 : index
    %c = arith.cmpi slt, %p, %r : index
    %s = arith.subf %acc, %in : f64
    %m = arith.select %c, %s, %acc : f64
    linalg.yield %m : f64
  } -> tensor<13x5xf64>
  // Maxima of integers, of one dimension, over two axes.
  %least = arith.constant dense<-2147483648> : tensor<13xi32>
  %d = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%n : tensor<13xi32>) outs(%least : tensor<13xi32>) {
  ^bb0(%in: i32, %acc: i32):
    %p = linalg.index 0 : index
    %r = linalg.index 1 : index
    %c = arith.cmpi sge, %p, %r : index
    %low = arith.constant -2147483648 : i32
    %m = arith.select %c, %in, %low : i32
    %s = arith.maxsi %m, %acc : i32
    linalg.yield %s : i32
  } -> tensor<13xi32>
  // An initial value for each element, and an index that counts.
  %e = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<5x13xf64>) outs(%init : tensor<5x13xf64>) {
  ^bb0(%in: f64, %acc: f64):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %w = arith.mulf %f, %in : f64
    %p = linalg.index 1 : index
    %r = linalg.index 2 : index
    %c = arith.cmpi uge, %r, %p : index
    %c0 = arith.constant 0.0 : f64
    %m = arith.select %c, %w, %c0 : f64
    %s = arith.addf %m, %acc : f64
    linalg.yield %s : f64
  } -> tensor<5x13xf64>
  // No scan: the place counts besides.
  %g = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<5x13xf64>) outs(%zero : tensor<5x13xf64>) {
  ^bb0(%in: f64, %acc: f64):
    %p = linalg.index 1 : index
    %r = linalg.index 2 : index
    %c = arith.cmpi ule, %r, %p : index
    %c1 = arith.constant 1.0 : f64
    %m = arith.select %c, %in, %c1 : f64
    %s = arith.addf %acc, %m : f64
    linalg.yield %s : f64
  } -> tensor<5x13xf64>
  return %a, %b, %d, %e, %g : tensor<5x13xf64>, tensor<13x5xf64>, tensor<13xi32>, tensor<5x13xf64>, tensor<5x13xf64>
}
