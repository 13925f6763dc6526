// Elements that no file holds and nothing reduces move as well: each device makes some from its inputs, sends them round
// and turns them back.
shard.grid @g(shape = 2x2)
func.func @any_elements(%a: tensor<10x4xi64>, %c: tensor<6x8xf64>) -> (tensor<10x4xi64>, tensor<10x4xi64>, tensor<10x4xi64>, tensor<6x8xf64>, tensor<6x8xf64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %x = shard.shard %a to %rows : tensor<10x4xi64>
  %n0 = arith.trunci %x : tensor<10x4xi64> to tensor<10x4xi3>
  %m0 = shard.shard %n0 to %columns annotate_for_users : tensor<10x4xi3>
  %r0 = arith.extsi %m0 : tensor<10x4xi3> to tensor<10x4xi64>
  %n1 = arith.trunci %x : tensor<10x4xi64> to tensor<10x4xi24>
  %m1 = shard.shard %n1 to %columns annotate_for_users : tensor<10x4xi24>
  %r1 = arith.extsi %m1 : tensor<10x4xi24> to tensor<10x4xi64>
  %n2 = arith.extsi %x : tensor<10x4xi64> to tensor<10x4xi100>
  %m2 = shard.shard %n2 to %columns annotate_for_users : tensor<10x4xi100>
  %r2 = arith.trunci %m2 : tensor<10x4xi100> to tensor<10x4xi64>
  %y = shard.shard %c to %rows : tensor<6x8xf64>
  %n3 = arith.extf %y : tensor<6x8xf64> to tensor<6x8xf80>
  %m3 = shard.shard %n3 to %columns annotate_for_users : tensor<6x8xf80>
  %r3 = arith.truncf %m3 : tensor<6x8xf80> to tensor<6x8xf64>
  %h = arith.truncf %y : tensor<6x8xf64> to tensor<6x8xf16>
  %e = tensor.empty() : tensor<6x8xcomplex<f16>>
  %n4 = linalg.map ins(%h : tensor<6x8xf16>) outs(%e : tensor<6x8xcomplex<f16>>) (%v: f16, %o: complex<f16>) {
    %z = complex.create %v, %v : complex<f16>
    linalg.yield %z : complex<f16>
  }
  %m4 = shard.shard %n4 to %columns annotate_for_users : tensor<6x8xcomplex<f16>>
  %w = tensor.empty() : tensor<6x8xf64>
  %r4 = linalg.map ins(%m4 : tensor<6x8xcomplex<f16>>) outs(%w : tensor<6x8xf64>) (%v: complex<f16>, %o: f64) {
    %i = complex.im %v : complex<f16>
    %d = arith.extf %i : f16 to f64
    linalg.yield %d : f64
  }
  return %r0, %r1, %r2, %r3, %r4 : tensor<10x4xi64>, tensor<10x4xi64>, tensor<10x4xi64>, tensor<6x8xf64>, tensor<6x8xf64>
}
