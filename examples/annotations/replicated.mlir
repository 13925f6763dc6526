// Axes that a value keeps out. Nothing is said of how the hidden layer is split, but that axis 1 has no
// part in it: what the weights say is not followed there, and the columns of the product are gathered.
shard.grid @grid(shape = 2x2)

func.func @main(%input: tensor<64x128xf32>, %weight: tensor<128x32xf32>) -> tensor<64x32xf32> {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @grid split_axes = [[], [1]] : !shard.sharding
  %any = shard.sharding @grid split_axes = [[]] {tessera.open, tessera.replicated = [1]} : !shard.sharding
  %x = shard.shard %input to %batch : tensor<64x128xf32>
  %w = shard.shard %weight to %columns : tensor<128x32xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %h = linalg.matmul ins(%x, %w : tensor<64x128xf32>, tensor<128x32xf32>) outs(%f : tensor<64x32xf32>)
      -> tensor<64x32xf32>
  %hidden = shard.shard %h to %any : tensor<64x32xf32>
  %y = math.tanh %hidden : tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
