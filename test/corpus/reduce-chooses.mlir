// Reductions that choose a candidate of several values: the largest with its index, the first or last
// of equal ones, with NaN; each as importers write it. Uneven and empty pieces, two axes.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2,1x7,3x5 --seed 1
// RUN-CHECK: --grid 2x2,1x4 --range 1=0:3 --seed 2
shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
func.func @main(%x_in: tensor<5x13xf32>, %n_in: tensor<5x13xi32>, %nan_in: tensor<5x13xi1>, %v_in: tensor<13x5xf64>)
    -> (tensor<5xf32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi64>, tensor<5xf64>, tensor<5xi64>, tensor<5xf64>,
        tensor<5xi32>, tensor<5xi32>, tensor<5xf32>, tensor<5xi64>, tensor<5xf64>, tensor<5xi64>, tensor<13xf32>, tensor<13xi64>, tensor<5xf64>) {
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %both = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<5x13xf32>
  %n = shard.shard %n_in to %both : tensor<5x13xi32>
  %v = shard.shard %v_in to %rows : tensor<13x5xf64>
  %nan = arith.constant dense<0x7FC00000> : tensor<5x13xf32>
  %with = arith.select %nan_in, %nan, %x : tensor<5x13xi1>, tensor<5x13xf32>
  %low = arith.constant dense<0xFF800000> : tensor<5xf32>
  %zero = arith.constant dense<0> : tensor<5xi32>
  %zero64 = arith.constant dense<0> : tensor<5xi64>
  // NaN is the largest, then the first index.
  %a:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%with : tensor<5x13xf32>) outs(%low, %zero : tensor<5xf32>, tensor<5xi32>) {
  ^bb0(%in: f32, %out: f32, %at: i32):
    %k = linalg.index 1 : index
    %here = arith.index_cast %k : index to i32
    %7 = arith.cmpf ogt, %out, %in : f32
    %8 = arith.cmpf une, %out, %out : f32
    %9 = arith.ori %7, %8 : i1
    %10 = arith.cmpf oeq, %out, %in : f32
    %11 = arith.cmpi slt, %at, %here : i32
    %12 = arith.andi %10, %11 : i1
    %13 = arith.ori %9, %12 : i1
    %14 = arith.select %9, %out, %in : f32
    %15 = arith.select %13, %at, %here : i32
    linalg.yield %14, %15 : f32, i32
  } -> (tensor<5xf32>, tensor<5xi32>)
  // The first of equal ones.
  %most = arith.constant dense<-2147483648> : tensor<5xi32>
  %b:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%n : tensor<5x13xi32>) outs(%most, %zero64 : tensor<5xi32>, tensor<5xi64>) {
  ^bb0(%in: i32, %out: i32, %at: i64):
    %k = linalg.index 1 : index
    %here = arith.index_cast %k : index to i64
    %more = arith.cmpi sgt, %in, %out : i32
    %0 = arith.maxsi %in, %out : i32
    %1 = arith.select %more, %here, %at : i64
    linalg.yield %0, %1 : i32, i64
  } -> (tensor<5xi32>, tensor<5xi64>)
  // The least, with two other values; of an order that looks at them.
  %high = arith.constant dense<1.0e30> : tensor<5xf64>
  %c:3 = linalg.generic {indexing_maps = [#ij, #j, #j, #j], iterator_types = ["reduction", "parallel"]}
      ins(%v : tensor<13x5xf64>) outs(%high, %zero64, %high : tensor<5xf64>, tensor<5xi64>, tensor<5xf64>) {
  ^bb0(%in: f64, %out: f64, %at: i64, %twice: f64):
    %k = linalg.index 0 : index
    %here = arith.index_cast %k : index to i64
    %two = arith.addf %in, %in : f64
    %less = arith.cmpf olt, %in, %out : f64
    %0 = arith.select %less, %in, %out : f64
    %1 = arith.select %less, %here, %at : i64
    %2 = arith.select %less, %two, %twice : f64
    linalg.yield %0, %1, %2 : f64, i64, f64
  } -> (tensor<5xf64>, tensor<5xi64>, tensor<5xf64>)
  // The last of equal ones: stays whole.
  %d:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%n : tensor<5x13xi32>) outs(%most, %zero : tensor<5xi32>, tensor<5xi32>) {
  ^bb0(%in: i32, %out: i32, %at: i32):
    %k = linalg.index 1 : index
    %here = arith.index_cast %k : index to i32
    %more = arith.cmpi sge, %in, %out : i32
    %0 = arith.select %more, %in, %out : i32
    %1 = arith.select %more, %here, %at : i32
    linalg.yield %0, %1 : i32, i32
  } -> (tensor<5xi32>, tensor<5xi32>)
  // The value is NaN, the index is that of a number: stays whole.
  %e:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%with : tensor<5x13xf32>) outs(%low, %zero64 : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %k = linalg.index 1 : index
    %here = arith.index_cast %k : index to i64
    %0 = arith.maximumf %in, %out : f32
    %more = arith.cmpf ogt, %in, %out : f32
    %1 = arith.select %more, %here, %at : i64
    linalg.yield %0, %1 : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  // What is compared and what is chosen are not one order: stays whole.
  %f:2 = linalg.generic {indexing_maps = [#ij, #j, #j], iterator_types = ["reduction", "parallel"]}
      ins(%v : tensor<13x5xf64>) outs(%high, %zero64 : tensor<5xf64>, tensor<5xi64>) {
  ^bb0(%in: f64, %out: f64, %at: i64):
    %k = linalg.index 0 : index
    %here = arith.index_cast %k : index to i64
    %less = arith.cmpf olt, %in, %out : f64
    %0 = arith.select %less, %in, %out : f64
    %1 = arith.select %less, %at, %here : i64
    linalg.yield %0, %1 : f64, i64
  } -> (tensor<5xf64>, tensor<5xi64>)
  %low1 = arith.constant 0xFF800000 : f32
  %e13 = tensor.empty() : tensor<13xf32>
  %start = linalg.fill ins(%low1 : f32) outs(%e13 : tensor<13xf32>) -> tensor<13xf32>
  %start64 = arith.constant dense<0> : tensor<13xi64>
  // Over the other dimension, the initial value from outside.
  %g:2 = linalg.generic {indexing_maps = [#ij, #j, #j], iterator_types = ["reduction", "parallel"]}
      ins(%with : tensor<5x13xf32>) outs(%start, %start64 : tensor<13xf32>, tensor<13xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %k = linalg.index 0 : index
    %here = arith.index_cast %k : index to i64
    %more = arith.cmpf ogt, %in, %out : f32
    %0 = arith.select %more, %in, %out : f32
    %1 = arith.select %more, %here, %at : i64
    linalg.yield %0, %1 : f32, i64
  } -> (tensor<13xf32>, tensor<13xi64>)
  // One value, as a choice.
  %h = linalg.generic {indexing_maps = [#ij, #j], iterator_types = ["reduction", "parallel"]}
      ins(%v : tensor<13x5xf64>) outs(%high : tensor<5xf64>) {
  ^bb0(%in: f64, %out: f64):
    %less = arith.cmpf ult, %in, %out : f64
    %0 = arith.select %less, %in, %out : f64
    linalg.yield %0 : f64
  } -> tensor<5xf64>
  return %a#0, %a#1, %b#0, %b#1, %c#0, %c#1, %c#2, %d#0, %d#1, %e#0, %e#1, %f#0, %f#1, %g#0, %g#1, %h
      : tensor<5xf32>, tensor<5xi32>, tensor<5xi32>, tensor<5xi64>, tensor<5xf64>, tensor<5xi64>, tensor<5xf64>,
        tensor<5xi32>, tensor<5xi32>, tensor<5xf32>, tensor<5xi64>, tensor<5xf64>, tensor<5xi64>, tensor<13xf32>, tensor<13xi64>, tensor<5xf64>
}
