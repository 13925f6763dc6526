// Element-wise arith and math ops on tensors follow the rows of their operands.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x16xf32>, %y: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x16xf32>
  %sum = arith.addf %x, %y : tensor<12x16xf32>
  %product = arith.mulf %sum, %y : tensor<12x16xf32>
  %difference = arith.subf %product, %x : tensor<12x16xf32>
  %squashed = math.tanh %difference : tensor<12x16xf32>
  return %squashed : tensor<12x16xf32>
}
