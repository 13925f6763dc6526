// Sums and gathers of f16, bf16 and f64.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<6x10xf16>, %b_in: tensor<6x10xbf16>, %c_in: tensor<6x10xf64>)
    -> (tensor<6xf16>, tensor<6xbf16>, tensor<6xf64>, tensor<6x10xbf16>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<6x10xf16>
  %b = shard.shard %b_in to %s : tensor<6x10xbf16>
  %c = shard.shard %c_in to %s : tensor<6x10xf64>
  %za = arith.constant dense<0.0> : tensor<6xf16>
  %zb = arith.constant dense<0.0> : tensor<6xbf16>
  %zc = arith.constant dense<0.0> : tensor<6xf64>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<6x10xf16>) outs(%za : tensor<6xf16>)
      dimensions = [1]
  %1 = linalg.reduce { arith.addf } ins(%b : tensor<6x10xbf16>) outs(%zb : tensor<6xbf16>)
      dimensions = [1]
  %2 = linalg.reduce { arith.addf } ins(%c : tensor<6x10xf64>) outs(%zc : tensor<6xf64>)
      dimensions = [1]
  %3 = shard.shard %b to %whole annotate_for_users : tensor<6x10xbf16>
  %4 = arith.addf %3, %3 : tensor<6x10xbf16>
  return %0, %1, %2, %4 : tensor<6xf16>, tensor<6xbf16>, tensor<6xf64>, tensor<6x10xbf16>
}
