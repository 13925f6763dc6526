// Element-wise tosa ops, also with a dimension of size 1 that is broadcast.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<12x16xf32>, %bias: tensor<1x16xf32>) -> tensor<12x16xf32> {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<12x16xf32>
  %0 = tosa.add %x, %bias : (tensor<12x16xf32>, tensor<1x16xf32>) -> tensor<12x16xf32>
  %1 = tosa.sigmoid %0 : (tensor<12x16xf32>) -> tensor<12x16xf32>
  %2 = tosa.sub %1, %x : (tensor<12x16xf32>, tensor<12x16xf32>) -> tensor<12x16xf32>
  %3 = tosa.tanh %2 : (tensor<12x16xf32>) -> tensor<12x16xf32>
  %4 = tosa.maximum %3, %bias : (tensor<12x16xf32>, tensor<1x16xf32>) -> tensor<12x16xf32>
  return %4 : tensor<12x16xf32>
}
