// Functions of the program that are called as functions of libm, of the C library and of libtessera are.
// RUN-CHECK: --grid 1,2,4 --seed 1
shard.grid @g(shape = 4)
func.func private @erf(%x: f64) -> f64 {
  %r = arith.addf %x, %x : f64
  return %r : f64
}
func.func private @exp(%a: tensor<10xf64>) -> tensor<10xf64> {
  %r = arith.mulf %a, %a : tensor<10xf64>
  return %r : tensor<10xf64>
}
func.func private @memrefCopy(%x: f64) -> f64 {
  %r = arith.negf %x : f64
  return %r : f64
}
func.func private @tessera_free(%x: f64) -> f64 {
  %r = func.call @memrefCopy(%x) : (f64) -> f64
  return %r : f64
}
func.func @main(%a0: tensor<10xf64>, %k: f64) -> (tensor<10xf64>, tensor<10xf64>, f64, f64) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a0 to %s : tensor<10xf64>
  %r = math.erf %a : tensor<10xf64>
  %e = math.exp %r : tensor<10xf64>
  %b = func.call @exp(%a) : (tensor<10xf64>) -> tensor<10xf64>
  %q = func.call @erf(%k) : (f64) -> f64
  %f = func.call @tessera_free(%k) : (f64) -> f64
  return %e, %b, %q, %f : tensor<10xf64>, tensor<10xf64>, f64, f64
}
