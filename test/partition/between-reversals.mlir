// What has no direction of its own is computed the other way round where it lies between reversals of a
// split dimension: of a step of a tree of sums, a difference to what came before, and a join, nothing is
// turned around, and only what a device lacks moves.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s
#id = affine_map<(i, j) -> (i, j)>
#up = affine_map<(i, j) -> (-i + 11, j)>
#row = affine_map<(i, j) -> (j)>
shard.grid @g(shape = 4)
// CHECK-NOT: -d0
// CHECK-LABEL: func.func @main
// CHECK-NOT: shard.all_
// CHECK: tessera.exchange
func.func @main(%x_in: tensor<12x4xf64>, %y_in: tensor<12x4xf64>, %w: tensor<4xf64>)
    -> (tensor<12x4xf64>, tensor<12x4xf64>, tensor<24x4xf64>) {
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
  return %tree, %shifted, %joined : tensor<12x4xf64>, tensor<12x4xf64>, tensor<24x4xf64>
}
