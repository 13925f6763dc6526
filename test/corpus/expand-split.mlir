// Expanding a split dimension where its pieces do and do not respect the new outer size.
// RUN-CHECK: --grid 1,2,3,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<24xf32>) -> (tensor<8x3xf32>, tensor<3x8xf32>, tensor<2x3x4xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<24xf32>
  %a = tensor.expand_shape %x [[0, 1]] output_shape [8, 3] : tensor<24xf32> into tensor<8x3xf32>
  %b = tensor.expand_shape %x [[0, 1]] output_shape [3, 8] : tensor<24xf32> into tensor<3x8xf32>
  %c = tensor.expand_shape %x [[0, 1, 2]] output_shape [2, 3, 4]
      : tensor<24xf32> into tensor<2x3x4xf32>
  %0 = arith.addf %a, %a : tensor<8x3xf32>
  %1 = arith.mulf %b, %b : tensor<3x8xf32>
  %2 = math.tanh %c : tensor<2x3x4xf32>
  return %0, %1, %2 : tensor<8x3xf32>, tensor<3x8xf32>, tensor<2x3x4xf32>
}
