// Comparisons make tensors of booleans that choose between two split tensors.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x16xf32>, %y: tensor<12x16xf32>, %mask: tensor<12x16xi1>)
    -> (tensor<12x16xf32>, tensor<12x16xi1>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<12x16xf32>
  %less = arith.cmpf olt, %x, %y : tensor<12x16xf32>
  %both = arith.andi %less, %mask : tensor<12x16xi1>
  %chosen = arith.select %both, %x, %y : tensor<12x16xi1>, tensor<12x16xf32>
  return %chosen, %both : tensor<12x16xf32>, tensor<12x16xi1>
}
