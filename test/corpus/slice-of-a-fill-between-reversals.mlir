// A part of a fill whose extent only the run knows, between reversals.
// RUN-CHECK: --grid 1,2,3,4 --seed 1 --shape 1=12
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12xf64>, %v: tensor<?xf64>, %c: f64) -> (tensor<6xf64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12xf64>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %v, %c0 : tensor<?xf64>
  %e = tensor.empty(%n) : tensor<?xf64>
  %f = linalg.fill ins(%c : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
  %e12 = tensor.empty() : tensor<12xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 11)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<12xf64>) outs(%e12 : tensor<12xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<12xf64>
  %p = tensor.extract_slice %f[2] [6] [1] : tensor<?xf64> to tensor<6xf64>
  %p2 = tensor.extract_slice %r[2] [6] [1] : tensor<12xf64> to tensor<6xf64>
  %t = arith.addf %p, %p2 : tensor<6xf64>
  %e6 = tensor.empty() : tensor<6xf64>
  %q = linalg.generic {indexing_maps = [affine_map<(i) -> (-i + 5)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%t : tensor<6xf64>) outs(%e6 : tensor<6xf64>) {
  ^bb0(%a: f64, %o: f64):
    linalg.yield %a : f64
  } -> tensor<6xf64>
  return %q : tensor<6xf64>
}
