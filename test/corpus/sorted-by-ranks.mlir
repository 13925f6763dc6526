// Ranks by comparison, and elements by their ranks: along a split dimension both run where another one is
// split, and what is sorted goes back.
// RUN-CHECK: --grid 4,2,3
shard.grid @g(shape = 4)
#at = affine_map<(b, r, j) -> (b, r)>
#from = affine_map<(b, r, j) -> (b, j)>
func.func @main(%x_in: tensor<12x40xf32>) -> tensor<12x40xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<12x40xf32>
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x40xi32>
  %f = linalg.fill ins(%none : i32) outs(%e : tensor<12x40xi32>) -> tensor<12x40xi32>
  %ranks = linalg.generic {indexing_maps = [#at, #from, #at], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %x : tensor<12x40xf32>, tensor<12x40xf32>) outs(%f : tensor<12x40xi32>) {
  ^bb0(%own: f32, %other: f32, %acc: i32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %less = arith.cmpf olt, %other, %own : f32
    %same = arith.cmpf oeq, %other, %own : f32
    %before = arith.cmpi ult, %j, %i : index
    %tie = arith.andi %same, %before : i1
    %counts = arith.ori %less, %tie : i1
    %v = arith.select %counts, %one, %none : i32
    %s = arith.addi %acc, %v : i32
    linalg.yield %s : i32
  } -> tensor<12x40xi32>
  %e1 = tensor.empty() : tensor<12x40xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<12x40xf32>) -> tensor<12x40xf32>
  %sorted = linalg.generic {indexing_maps = [#from, #from, #at], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%ranks, %x : tensor<12x40xi32>, tensor<12x40xf32>) outs(%f1 : tensor<12x40xf32>) {
  ^bb0(%rank: i32, %value: f32, %acc: f32):
    %r = linalg.index 1 : index
    %at = arith.index_cast %rank : i32 to index
    %here = arith.cmpi eq, %at, %r : index
    %v = arith.select %here, %value, %zero : f32
    %s = arith.addf %acc, %v : f32
    linalg.yield %s : f32
  } -> tensor<12x40xf32>
  return %sorted : tensor<12x40xf32>
}
