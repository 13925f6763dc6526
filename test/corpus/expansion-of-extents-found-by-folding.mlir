// An expansion to extents that only folding finds constant, merged again: upstream's fusion gave what is returned the
// type that says them.
// RUN-CHECK: --shape 0=8x6 --shape 1=6x8
shard.grid @grid(shape = 8)
func.func private @part(%x: tensor<?x6xf64>) -> tensor<?x6xf64> {
  %s = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %y = shard.shard %x to %s : tensor<?x6xf64>
  %r = arith.minnumf %y, %y : tensor<?x6xf64>
  return %r : tensor<?x6xf64>
}
func.func @main(%a: tensor<?x6xf64>, %b: tensor<6x?xf64>) -> tensor<?x?xf64> {
  %x = func.call @part(%a) : (tensor<?x6xf64>) -> tensor<?x6xf64>
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %k8 = arith.constant 8 : index
  %k1 = arith.constant 1 : index
  %e6 = tensor.empty(%k8) : tensor<?x6xf64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x6xf64>) outs(%e6 : tensor<?x6xf64>) {
  ^bb0(%x0: f64, %o0: f64):
    %r = arith.negf %x0 : f64
    linalg.yield %r : f64
  } -> tensor<?x6xf64>
  %n = tensor.dim %y, %c0 : tensor<?x6xf64>
  %e = tensor.empty(%k8, %n) : tensor<?x?xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<?x?xf64>) -> tensor<?x?xf64>
  %p = linalg.matmul ins(%y, %b : tensor<?x6xf64>, tensor<6x?xf64>) outs(%f : tensor<?x?xf64>) -> tensor<?x?xf64>
  %q = tensor.expand_shape %p [[0], [1, 2]] output_shape [%k8, %k1, %n] : tensor<?x?xf64> into tensor<?x?x?xf64>
  %r = tensor.collapse_shape %q [[0], [1, 2]] : tensor<?x?x?xf64> into tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}
