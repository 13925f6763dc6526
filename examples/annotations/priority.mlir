// Rounds. The sum lies between two annotations that ask for different things on the same axis. The one
// of the batch counts in round 0, the other in round 1: the sum is laid out as the batch is, and what
// asks for columns is moved, though it comes first.
shard.grid @grid(shape = 4)

func.func @main(%feature: tensor<64x64xf32>, %bias: tensor<64x64xf32>, %batch: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %model = shard.sharding @grid split_axes = [[], [0]] {tessera.priority = 1} : !shard.sharding
  %data = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %f = shard.shard %feature to %model : tensor<64x64xf32>
  %x = shard.shard %batch to %data : tensor<64x64xf32>
  %sum = arith.addf %f, %bias : tensor<64x64xf32>
  %y = arith.mulf %sum, %x : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
