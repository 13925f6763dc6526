// What lies between reversals: a step of a tree of sums, a pad, a join, dimensions that are merged, of two
// that are reversed one of which turns back before, and what is read both ways, which stays as it is.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
#id = affine_map<(i, j) -> (i, j)>
#up = affine_map<(i, j) -> (-i + 11, j)>
#left = affine_map<(i, j) -> (i, -j + 3)>
#row = affine_map<(i, j) -> (j)>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x4xf64>, %y_in: tensor<12x4xf64>, %w: tensor<4xf64>)
    -> (tensor<12x4xf64>, tensor<12x4xf64>, tensor<24x4xf64>, tensor<48xf64>, tensor<63xf64>, tensor<12x4xf64>) {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12x4xf64>
  %y = shard.shard %y_in to %s : tensor<12x4xf64>
  %zero = arith.constant 0.0 : f64
  %none = arith.constant dense<0.0> : tensor<12x4xf64>
  %e = tensor.empty() : tensor<12x4xf64>
  %r = linalg.generic {indexing_maps = [#up, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x4xf64>) outs(%e : tensor<12x4xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12x4xf64>
  %q = linalg.generic {indexing_maps = [#up, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<12x4xf64>) outs(%e : tensor<12x4xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12x4xf64>
  // Pairs, and their sums among the elements that were first.
  %even = tensor.extract_slice %r[0, 0] [6, 4] [2, 1] : tensor<12x4xf64> to tensor<6x4xf64>
  %odd = tensor.extract_slice %r[1, 0] [6, 4] [2, 1] : tensor<12x4xf64> to tensor<6x4xf64>
  %pairs = arith.addf %even, %odd : tensor<6x4xf64>
  %at_odd = tensor.insert_slice %pairs into %none[1, 0] [6, 4] [2, 1] : tensor<6x4xf64> into tensor<12x4xf64>
  %at_even = tensor.insert_slice %even into %none[0, 0] [6, 4] [2, 1] : tensor<6x4xf64> into tensor<12x4xf64>
  %both = arith.addf %at_odd, %at_even : tensor<12x4xf64>
  %tree = linalg.generic {indexing_maps = [#up, #id], iterator_types = ["parallel", "parallel"]}
      ins(%both : tensor<12x4xf64>) outs(%e : tensor<12x4xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12x4xf64>
  // What came before, times a row.
  %padded = tensor.pad %r low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f64
  } : tensor<12x4xf64> to tensor<13x4xf64>
  %before = tensor.extract_slice %padded[0, 0] [12, 4] [1, 1] : tensor<13x4xf64> to tensor<12x4xf64>
  %difference = arith.subf %r, %before : tensor<12x4xf64>
  %shifted = linalg.generic {indexing_maps = [#up, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%difference, %w : tensor<12x4xf64>, tensor<4xf64>) outs(%e : tensor<12x4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %m = arith.mulf %a, %b : f64
    linalg.yield %m : f64
  } -> tensor<12x4xf64>
  // Joined, first the one and then the other.
  %join = tensor.concat dim(0) %r, %q : (tensor<12x4xf64>, tensor<12x4xf64>) -> tensor<24x4xf64>
  %twice = arith.addf %join, %join : tensor<24x4xf64>
  %e24 = tensor.empty() : tensor<24x4xf64>
  %joined = linalg.generic {indexing_maps = [affine_map<(i, j) -> (-i + 23, j)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%twice : tensor<24x4xf64>) outs(%e24 : tensor<24x4xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<24x4xf64>
  // Both dimensions, which then are one.
  %turned = linalg.generic {indexing_maps = [#left, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<12x4xf64>) outs(%e : tensor<12x4xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12x4xf64>
  %merged = tensor.collapse_shape %turned [[0, 1]] : tensor<12x4xf64> into tensor<48xf64>
  %negated = arith.negf %merged : tensor<48xf64>
  %e48 = tensor.empty() : tensor<48xf64>
  %back = linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 47)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%negated : tensor<48xf64>) outs(%e48 : tensor<48xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<48xf64>
  // The largest so far, of the same twice.
  %again = tensor.concat dim(0) %merged, %merged : (tensor<48xf64>, tensor<48xf64>) -> tensor<96xf64>
  %least = arith.constant -1.0e30 : f64
  %e96 = tensor.empty() : tensor<96xf64>
  %start = linalg.fill ins(%least : f64) outs(%e96 : tensor<96xf64>) -> tensor<96xf64>
  %largest = linalg.generic {indexing_maps = [affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%again : tensor<96xf64>) outs(%start : tensor<96xf64>) {
  ^bb0(%a: f64, %o: f64):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %counts = arith.cmpi sle, %k, %i : index
    %m = arith.select %counts, %a, %least : f64
    %0 = arith.maximumf %m, %o : f64
    linalg.yield %0 : f64
  } -> tensor<96xf64>
  %some = tensor.extract_slice %largest[2] [63] [1] : tensor<96xf64> to tensor<63xf64>
  %e63 = tensor.empty() : tensor<63xf64>
  %ends = linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 62)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%some : tensor<63xf64>) outs(%e63 : tensor<63xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<63xf64>
  // Beside its own reversal.
  %double = arith.addf %x, %x : tensor<12x4xf64>
  %mirrored = linalg.generic {indexing_maps = [#up, #id], iterator_types = ["parallel", "parallel"]}
      ins(%double : tensor<12x4xf64>) outs(%e : tensor<12x4xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12x4xf64>
  %beside = arith.subf %mirrored, %double : tensor<12x4xf64>
  %odd_one = linalg.generic {indexing_maps = [#up, #id], iterator_types = ["parallel", "parallel"]}
      ins(%beside : tensor<12x4xf64>) outs(%e : tensor<12x4xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12x4xf64>
  return %tree, %shifted, %joined, %back, %ends, %odd_one : tensor<12x4xf64>, tensor<12x4xf64>, tensor<24x4xf64>, tensor<48xf64>, tensor<63xf64>, tensor<12x4xf64>
}
