// Signed and unsigned maxima and minima of integers of both signs over a split dimension.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%n_in: tensor<12x16xi32>)
    -> (tensor<12xi32>, tensor<12xi32>, tensor<12xi32>, tensor<12xi32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %n = shard.shard %n_in to %columns : tensor<12x16xi32>
  %lowest = arith.constant dense<-2147483648> : tensor<12xi32>
  %highest = arith.constant dense<2147483647> : tensor<12xi32>
  %zero = arith.constant dense<0> : tensor<12xi32>
  %ones = arith.constant dense<-1> : tensor<12xi32>
  %0 = linalg.reduce { arith.maxsi } ins(%n : tensor<12x16xi32>) outs(%lowest : tensor<12xi32>)
      dimensions = [1]
  %1 = linalg.reduce { arith.minsi } ins(%n : tensor<12x16xi32>) outs(%highest : tensor<12xi32>)
      dimensions = [1]
  %2 = linalg.reduce { arith.maxui } ins(%n : tensor<12x16xi32>) outs(%zero : tensor<12xi32>)
      dimensions = [1]
  %3 = linalg.reduce { arith.minui } ins(%n : tensor<12x16xi32>) outs(%ones : tensor<12xi32>)
      dimensions = [1]
  return %0, %1, %2, %3 : tensor<12xi32>, tensor<12xi32>, tensor<12xi32>, tensor<12xi32>
}
