// The initial values of maxima and minima lie inside the range of the data, and matter.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%n_in: tensor<12x16xi8>, %x_in: tensor<12x16xf32>)
    -> (tensor<12xi8>, tensor<12xi8>, tensor<12xf32>, tensor<12xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %n = shard.shard %n_in to %columns : tensor<12x16xi8>
  %x = shard.shard %x_in to %columns : tensor<12x16xf32>
  %a = arith.constant dense<90> : tensor<12xi8>
  %b = arith.constant dense<10> : tensor<12xi8>
  %c = arith.constant dense<1.5> : tensor<12xf32>
  %d = arith.constant dense<-1.5> : tensor<12xf32>
  %0 = linalg.reduce { arith.maxsi } ins(%n : tensor<12x16xi8>) outs(%a : tensor<12xi8>)
      dimensions = [1]
  %1 = linalg.reduce { arith.minui } ins(%n : tensor<12x16xi8>) outs(%b : tensor<12xi8>)
      dimensions = [1]
  %2 = linalg.reduce { arith.maximumf } ins(%x : tensor<12x16xf32>) outs(%c : tensor<12xf32>)
      dimensions = [1]
  %3 = linalg.reduce { arith.minimumf } ins(%x : tensor<12x16xf32>) outs(%d : tensor<12xf32>)
      dimensions = [1]
  return %0, %1, %2, %3 : tensor<12xi8>, tensor<12xi8>, tensor<12xf32>, tensor<12xf32>
}
