// A reduction between two reversals whose order counts (the last one stays) is not turned round.
// RUN-CHECK: --grid 1,2 --seed 1
shard.grid @g(shape = 2)
#ident = affine_map<(i) -> (i)>
#rev = affine_map<(i) -> (-i + 11)>
func.func @main(%x_in: tensor<12xf64>) -> tensor<12xf64> {
  %sh = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %sh : tensor<12xf64>
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %e = tensor.empty() : tensor<12xf64>
  %r1 = linalg.generic {indexing_maps = [#rev, #ident], iterator_types = ["parallel"]}
      ins(%x : tensor<12xf64>) outs(%e : tensor<12xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<12xf64>) -> tensor<12xf64>
  %scan = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%r1 : tensor<12xf64>) outs(%f : tensor<12xf64>) {
  ^bb0(%a: f64, %acc: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sle, %j, %i : index
    %s = arith.select %in, %a, %acc : f64
    linalg.yield %s : f64
  } -> tensor<12xf64>
  %r2 = linalg.generic {indexing_maps = [#rev, #ident], iterator_types = ["parallel"]}
      ins(%scan : tensor<12xf64>) outs(%e : tensor<12xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12xf64>
  return %r2 : tensor<12xf64>
}
