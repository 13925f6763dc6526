shard.grid @grid(shape = ?)

func.func @main(%a_in: tensor<4xf32>) -> tensor<4xf32> {
  %split = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %split : tensor<4xf32>
  %sum = arith.addf %a, %a : tensor<4xf32>
  return %sum : tensor<4xf32>
}
