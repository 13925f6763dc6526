// maxnumf and minnumf over short dimensions beside others, which compilers like to unroll.
// RUN-CHECK: --grid 1,2,4 --seed 1
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<6x2x4xf32>, %y_in: tensor<11x8xf32>)
    -> (tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x2x4xf32>
  %y = shard.shard %y_in to %rows : tensor<11x8xf32>
  %high = arith.constant dense<1.0e30> : tensor<2x4xf32>
  %highs = arith.constant dense<1.0e30> : tensor<8xf32>
  %lows = arith.constant dense<-1.0e30> : tensor<8xf32>
  %0 = linalg.reduce { arith.minnumf } ins(%x : tensor<6x2x4xf32>) outs(%high : tensor<2x4xf32>)
      dimensions = [0]
  %1 = linalg.reduce { arith.minnumf } ins(%y : tensor<11x8xf32>) outs(%highs : tensor<8xf32>)
      dimensions = [0]
  %2 = linalg.reduce { arith.maxnumf } ins(%y : tensor<11x8xf32>) outs(%lows : tensor<8xf32>)
      dimensions = [0]
  return %0, %1, %2 : tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>
}
