// Several grids of one module. The same four devices are a row to one function and a square to the other;
// the square refines the row, so the call passes pieces, and nothing is moved.
shard.grid @row(shape = 4)
shard.grid @square(shape = 2x2)

func.func private @scaled(%x_in: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %rows = shard.sharding @row split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x64xf32>
  %y = math.tanh %x : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

func.func @main(%input: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %rows = shard.sharding @square split_axes = [[0, 1]] : !shard.sharding
  %x = shard.shard %input to %rows : tensor<64x64xf32>
  %y = func.call @scaled(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
