// Maxima that are partial pass through slices alone, sums of integers through joins and insertions.
// RUN-CHECK: --grid 1,2,4,6,2x2,2x3 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<12x6xi32>, %y: tensor<6xi32>)
    -> (tensor<2xi32>, tensor<12xi32>, tensor<6xi32>, tensor<12xi32>) {
  %rows = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x6xi32>
  %low = arith.constant dense<-1000> : tensor<6xi32>
  %zero = arith.constant dense<0> : tensor<6xi32>
  %seven = arith.constant dense<7> : tensor<6xi32>
  %m0 = linalg.reduce { arith.maxsi } ins(%x : tensor<12x6xi32>) outs(%low : tensor<6xi32>) dimensions = [0]
  %s = tensor.extract_slice %m0[1] [2] [3] : tensor<6xi32> to tensor<2xi32>
  %m1 = linalg.reduce { arith.maxsi } ins(%x : tensor<12x6xi32>) outs(%low : tensor<6xi32>) dimensions = [0]
  %j = tensor.concat dim(0) %m1, %y : (tensor<6xi32>, tensor<6xi32>) -> tensor<12xi32>
  %m2 = linalg.reduce { arith.addi } ins(%x : tensor<12x6xi32>) outs(%seven : tensor<6xi32>) dimensions = [0]
  %s2 = tensor.extract_slice %m2[1] [2] [3] : tensor<6xi32> to tensor<2xi32>
  %i = tensor.insert_slice %s2 into %zero[2] [2] [1] : tensor<2xi32> into tensor<6xi32>
  %m3 = linalg.reduce { arith.addi } ins(%x : tensor<12x6xi32>) outs(%zero : tensor<6xi32>) dimensions = [0]
  %k = tensor.concat dim(0) %zero, %m3 : (tensor<6xi32>, tensor<6xi32>) -> tensor<12xi32>
  return %s, %j, %i, %k : tensor<2xi32>, tensor<12xi32>, tensor<6xi32>, tensor<12xi32>
}
