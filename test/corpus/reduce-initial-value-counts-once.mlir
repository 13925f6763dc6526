// A reduction of a split dimension that starts from an argument, or from 7, adds it once.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x16xf32>, %init_in: tensor<12xf32>)
    -> (tensor<12xf32>, tensor<12xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<12x16xf32>
  %seven = arith.constant dense<7.0> : tensor<12xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<12x16xf32>) outs(%init_in : tensor<12xf32>)
      dimensions = [1]
  %1 = linalg.reduce { arith.addf } ins(%x : tensor<12x16xf32>) outs(%seven : tensor<12xf32>)
      dimensions = [1]
  return %0, %1 : tensor<12xf32>, tensor<12xf32>
}
