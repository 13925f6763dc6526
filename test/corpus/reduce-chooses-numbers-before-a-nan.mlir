// The largest (or least) of a row and where it is, as torch's maximum along a dimension: a NaN is the value
// once one is seen, and the place is that of the best number before it. With NaNs in the data, in some rows
// none, and equal numbers on several devices; beside it, a place among the first of equal ones.
// RUN-CHECK: --grid 1,2,3,4,5,8 --seed 1
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<13x18xf32>)
    -> (tensor<13xf32>, tensor<13xi64>, tensor<13xf32>, tensor<13xi32>, tensor<13xi64>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<13x18xf32>
  %limit = arith.constant dense<1.4> : tensor<13x18xf32>
  %nans = arith.constant dense<0x7FC00000> : tensor<13x18xf32>
  %large = arith.cmpf ogt, %x, %limit : tensor<13x18xf32>
  %rounded = math.roundeven %x : tensor<13x18xf32>
  %v = arith.select %large, %nans, %rounded : tensor<13x18xi1>, tensor<13x18xf32>
  %low = arith.constant dense<0xFF800000> : tensor<13xf32>
  %high = arith.constant dense<0x7F800000> : tensor<13xf32>
  %zero = arith.constant dense<0> : tensor<13xi64>
  %none = arith.constant dense<-1> : tensor<13xi32>
  %0:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%v : tensor<13x18xf32>) outs(%low, %zero : tensor<13xf32>, tensor<13xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %best : f32
    %c = arith.cmpf ogt, %in, %best : f32
    %k = arith.select %c, %j, %at : i64
    linalg.yield %m, %k : f32, i64
  } -> (tensor<13xf32>, tensor<13xi64>)
  %1:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%v : tensor<13x18xf32>) outs(%none, %high : tensor<13xi32>, tensor<13xf32>) {
  ^bb0(%in: f32, %at: i32, %best: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %m = arith.minimumf %best, %in : f32
    %c = arith.cmpf olt, %in, %best : f32
    %k = arith.select %c, %j, %at : i32
    linalg.yield %k, %m : i32, f32
  } -> (tensor<13xi32>, tensor<13xf32>)
  // Of which nobody uses the value.
  %2:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%v : tensor<13x18xf32>) outs(%low, %zero : tensor<13xf32>, tensor<13xi64>) {
  ^bb0(%in: f32, %best: f32, %at: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %m = arith.maximumf %best, %in : f32
    %c = arith.cmpf olt, %best, %in : f32
    %k = arith.select %c, %j, %at : i64
    linalg.yield %m, %k : f32, i64
  } -> (tensor<13xf32>, tensor<13xi64>)
  return %0#0, %0#1, %1#1, %1#0, %2#1
      : tensor<13xf32>, tensor<13xi64>, tensor<13xf32>, tensor<13xi32>, tensor<13xi64>
}
