// Groups. A weight and its momentum are one group, so the momentum is laid out as the weight, though no
// op of this step connects them: only the weight meets the batch.
shard.grid @grid(shape = 4)

func.func @main(%input: tensor<32x64xf32>, %weight: tensor<64x128xf32>, %momentum: tensor<64x128xf32>)
    -> (tensor<32x128xf32>, tensor<64x128xf32>) {
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %any = shard.sharding @grid split_axes = [[]] {tessera.open} : !shard.sharding
  %w = shard.shard %weight to %any {tessera.group = 1} : tensor<64x128xf32>
  %m = shard.shard %momentum to %any {tessera.group = 1} : tensor<64x128xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x128xf32>) -> tensor<32x128xf32>
  %h = linalg.matmul ins(%input, %w : tensor<32x64xf32>, tensor<64x128xf32>)
      outs(%f : tensor<32x128xf32>) -> tensor<32x128xf32>
  %y = shard.shard %h to %columns : tensor<32x128xf32>
  %decay = arith.constant dense<0.9> : tensor<64x128xf32>
  %next = arith.mulf %m, %decay : tensor<64x128xf32>
  return %y, %next : tensor<32x128xf32>, tensor<64x128xf32>
}
