// Open dimensions. The rows of the hidden layer are laid out as said; its columns may be split as the
// weights are. Were the annotation closed, the columns would be gathered there.
shard.grid @grid(shape = 2x2)

func.func @main(%input: tensor<64x128xf32>, %weight1: tensor<128x256xf32>, %weight2: tensor<256x128xf32>)
    -> tensor<64x128xf32> {
  %columns = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
  %rows = shard.sharding @grid split_axes = [[0], []] {tessera.open = [1]} : !shard.sharding
  %w1 = shard.shard %weight1 to %columns : tensor<128x256xf32>
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<64x256xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %h = linalg.matmul ins(%input, %w1 : tensor<64x128xf32>, tensor<128x256xf32>)
      outs(%f1 : tensor<64x256xf32>) -> tensor<64x256xf32>
  %hidden = shard.shard %h to %rows : tensor<64x256xf32>
  %t = math.tanh %hidden : tensor<64x256xf32>
  %e2 = tensor.empty() : tensor<64x128xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %y = linalg.matmul ins(%t, %weight2 : tensor<64x256xf32>, tensor<256x128xf32>)
      outs(%f2 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %by_rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %result = shard.shard %y to %by_rows : tensor<64x128xf32>
  return %result : tensor<64x128xf32>
}
