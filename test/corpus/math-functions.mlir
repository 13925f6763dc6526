// Math functions keep their values when the tensor is cut.
// RUN-CHECK: --grid 1,2,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x16xf32>) -> (tensor<12x16xf32>, tensor<12x16xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x16xf32>
  %one = arith.constant dense<1.0> : tensor<12x16xf32>
  %square = arith.mulf %x, %x : tensor<12x16xf32>
  %positive = arith.addf %square, %one : tensor<12x16xf32>
  %log = math.log %positive : tensor<12x16xf32>
  %root = math.sqrt %positive : tensor<12x16xf32>
  %inverse = math.rsqrt %positive : tensor<12x16xf32>
  %exp = math.exp %x : tensor<12x16xf32>
  %sin = math.sin %x : tensor<12x16xf32>
  %cos = math.cos %x : tensor<12x16xf32>
  %erf = math.erf %x : tensor<12x16xf32>
  %0 = arith.addf %log, %root : tensor<12x16xf32>
  %1 = arith.mulf %0, %inverse : tensor<12x16xf32>
  %2 = arith.addf %1, %exp : tensor<12x16xf32>
  %3 = arith.addf %sin, %cos : tensor<12x16xf32>
  %4 = arith.subf %3, %erf : tensor<12x16xf32>
  return %2, %4 : tensor<12x16xf32>, tensor<12x16xf32>
}
