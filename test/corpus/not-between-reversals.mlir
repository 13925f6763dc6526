// What has a direction, between reversals: what is written to backwards, what is spread over a dimension
// but for one of its results, and an op of many operands that reads some of them backwards.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
#up = affine_map<(i) -> (-i + 11)>
#id = affine_map<(i) -> (i)>
#up2 = affine_map<(i, j) -> (-i + 11, j)>
#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12xf64>, %w: tensor<12xf64>, %y_in: tensor<12x4xf64>, %z: tensor<12x4xf64>, %b: tensor<4xf64>)
    -> (tensor<12xf64>, tensor<12xf64>, tensor<12x4xf64>, tensor<12xf64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12xf64>
  %y = shard.shard %y_in to %rows : tensor<12x4xf64>
  %e = tensor.empty() : tensor<12xf64>
  %e2 = tensor.empty() : tensor<12x4xf64>
  %r = linalg.generic {indexing_maps = [#up, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<12xf64>) outs(%e : tensor<12xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12xf64>
  %d = arith.addf %r, %r : tensor<12xf64>
  %back = linalg.generic {indexing_maps = [#up, #id], iterator_types = ["parallel"]}
      ins(%d : tensor<12xf64>) outs(%e : tensor<12xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12xf64>
  %written = linalg.generic {indexing_maps = [#id, #up], iterator_types = ["parallel"]}
      ins(%w : tensor<12xf64>) outs(%d : tensor<12xf64>) {
  ^bb0(%a: f64, %o: f64):
    %m = arith.subf %a, %o : f64
    linalg.yield %m : f64
  } -> tensor<12xf64>
  %q = linalg.generic {indexing_maps = [#up2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<12x4xf64>) outs(%e2 : tensor<12x4xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12x4xf64>
  %spread:2 = linalg.generic {indexing_maps = [#row, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<4xf64>) outs(%e2, %z : tensor<12x4xf64>, tensor<12x4xf64>) {
  ^bb0(%a: f64, %o0: f64, %o1: f64):
    %m = arith.subf %a, %o1 : f64
    linalg.yield %m, %o1 : f64, f64
  } -> (tensor<12x4xf64>, tensor<12x4xf64>)
  %t = arith.addf %q, %spread#0 : tensor<12x4xf64>
  %down = linalg.generic {indexing_maps = [#up2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<12x4xf64>) outs(%e2 : tensor<12x4xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12x4xf64>
  %sum = linalg.generic {indexing_maps = [#up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #up, #id, #id], iterator_types = ["parallel"]}
      ins(%d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d : tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>, tensor<12xf64>) outs(%e : tensor<12xf64>) {
  ^bb0(%a0: f64, %a1: f64, %a2: f64, %a3: f64, %a4: f64, %a5: f64, %a6: f64, %a7: f64, %a8: f64, %a9: f64, %a10: f64, %a11: f64, %a12: f64, %a13: f64, %a14: f64, %a15: f64, %a16: f64, %a17: f64, %a18: f64, %a19: f64, %a20: f64, %a21: f64, %a22: f64, %a23: f64, %a24: f64, %a25: f64, %a26: f64, %a27: f64, %a28: f64, %a29: f64, %a30: f64, %a31: f64, %a32: f64, %a33: f64, %o: f64):
    %s1 = arith.addf %a0, %a1 : f64
    %s2 = arith.addf %s1, %a2 : f64
    %s3 = arith.addf %s2, %a3 : f64
    %s4 = arith.addf %s3, %a4 : f64
    %s5 = arith.addf %s4, %a5 : f64
    %s6 = arith.addf %s5, %a6 : f64
    %s7 = arith.addf %s6, %a7 : f64
    %s8 = arith.addf %s7, %a8 : f64
    %s9 = arith.addf %s8, %a9 : f64
    %s10 = arith.addf %s9, %a10 : f64
    %s11 = arith.addf %s10, %a11 : f64
    %s12 = arith.addf %s11, %a12 : f64
    %s13 = arith.addf %s12, %a13 : f64
    %s14 = arith.addf %s13, %a14 : f64
    %s15 = arith.addf %s14, %a15 : f64
    %s16 = arith.addf %s15, %a16 : f64
    %s17 = arith.addf %s16, %a17 : f64
    %s18 = arith.addf %s17, %a18 : f64
    %s19 = arith.addf %s18, %a19 : f64
    %s20 = arith.addf %s19, %a20 : f64
    %s21 = arith.addf %s20, %a21 : f64
    %s22 = arith.addf %s21, %a22 : f64
    %s23 = arith.addf %s22, %a23 : f64
    %s24 = arith.addf %s23, %a24 : f64
    %s25 = arith.addf %s24, %a25 : f64
    %s26 = arith.addf %s25, %a26 : f64
    %s27 = arith.addf %s26, %a27 : f64
    %s28 = arith.addf %s27, %a28 : f64
    %s29 = arith.addf %s28, %a29 : f64
    %s30 = arith.addf %s29, %a30 : f64
    %s31 = arith.addf %s30, %a31 : f64
    %s32 = arith.addf %s31, %a32 : f64
    %s33 = arith.addf %s32, %a33 : f64
    linalg.yield %s33 : f64
  } -> tensor<12xf64>
  %many = linalg.generic {indexing_maps = [#up, #id], iterator_types = ["parallel"]}
      ins(%sum : tensor<12xf64>) outs(%e : tensor<12xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12xf64>
  return %written, %back, %down, %many : tensor<12xf64>, tensor<12xf64>, tensor<12x4xf64>, tensor<12xf64>
}
