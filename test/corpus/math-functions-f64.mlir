// Functions of f64 that have no polynomials come from libm, on every device.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x7xf64>) -> (tensor<10x7xf64>, tensor<10xf64>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x7xf64>
  %0 = math.tanh %x : tensor<10x7xf64>
  %1 = math.exp %0 : tensor<10x7xf64>
  %2 = math.erf %1 : tensor<10x7xf64>
  %3 = math.sin %x : tensor<10x7xf64>
  %4 = math.absf %3 : tensor<10x7xf64>
  %5 = math.powf %4, %1 : tensor<10x7xf64>
  %6 = math.log1p %5 : tensor<10x7xf64>
  %7 = arith.addf %6, %2 : tensor<10x7xf64>
  %zero = arith.constant dense<0.0> : tensor<10xf64>
  %sums = linalg.reduce { arith.addf } ins(%7 : tensor<10x7xf64>) outs(%zero : tensor<10xf64>)
      dimensions = [1]
  return %7, %sums : tensor<10x7xf64>, tensor<10xf64>
}
