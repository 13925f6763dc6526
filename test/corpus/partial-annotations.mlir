// Partial values as annotations: an argument, an intermediate and a result, sums and maxima.
// RUN-CHECK: --grid 2x2,1x4,4x1,2x3 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x6xf32>, %y_in: tensor<10x6xf32>) -> (tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>) {
  %sum = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial sum>]]} : !shard.sharding
  %both = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial max>], [1, #shard<partial max>]]} : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %sum : tensor<10x6xf32>
  %y = shard.shard %y_in to %both : tensor<10x6xf32>
  %a = arith.addf %x, %x : tensor<10x6xf32>
  %a0 = shard.shard %a to %columns : tensor<10x6xf32>
  %b = math.tanh %y : tensor<10x6xf32>
  %b0 = shard.shard %b to %rows : tensor<10x6xf32>
  %c = arith.subf %b0, %a0 : tensor<10x6xf32>
  %c0 = shard.shard %c to %sum : tensor<10x6xf32>
  return %a0, %c0, %y : tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>
}
