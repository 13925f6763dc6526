// With NaNs in the data, maximumf and minimumf return them and maxnumf and minnumf skip them.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x16xf32>)
    -> (tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<12x16xf32>
  %limit = arith.constant dense<1.7> : tensor<12x16xf32>
  %nans = arith.constant dense<0x7FC00000> : tensor<12x16xf32>
  %large = arith.cmpf ogt, %x, %limit : tensor<12x16xf32>
  %v = arith.select %large, %nans, %x : tensor<12x16xi1>, tensor<12x16xf32>
  %low = arith.constant dense<-1.0e30> : tensor<12xf32>
  %high = arith.constant dense<1.0e30> : tensor<12xf32>
  %0 = linalg.reduce { arith.maximumf } ins(%v : tensor<12x16xf32>) outs(%low : tensor<12xf32>)
      dimensions = [1]
  %1 = linalg.reduce { arith.minimumf } ins(%v : tensor<12x16xf32>) outs(%high : tensor<12xf32>)
      dimensions = [1]
  %2 = linalg.reduce { arith.maxnumf } ins(%v : tensor<12x16xf32>) outs(%low : tensor<12xf32>)
      dimensions = [1]
  %3 = linalg.reduce { arith.minnumf } ins(%v : tensor<12x16xf32>) outs(%high : tensor<12xf32>)
      dimensions = [1]
  return %0, %1, %2, %3 : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
}
