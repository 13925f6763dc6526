// Halves of a split dimension change places, one of them negated, as rotary embeddings do it: each
// half is fetched once, into the places that it has in the result, also where more is computed there.
// RUN-CHECK: --grid 1,2,3,4,5,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<3x22xf32>, %c: tensor<3x22xf32>) -> (tensor<3x22xf32>, tensor<3x22xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<3x22xf32>
  %low = tensor.extract_slice %x[0, 0] [3, 11] [1, 1] : tensor<3x22xf32> to tensor<3x11xf32>
  %high = tensor.extract_slice %x[0, 11] [3, 11] [1, 1] : tensor<3x22xf32> to tensor<3x11xf32>
  %minus = arith.negf %high : tensor<3x11xf32>
  %turned = tensor.concat dim(1) %minus, %low : (tensor<3x11xf32>, tensor<3x11xf32>) -> tensor<3x22xf32>
  %scaled = arith.mulf %turned, %c : tensor<3x22xf32>
  %sum = arith.addf %x, %scaled : tensor<3x22xf32>
  %a = shard.shard %sum to %columns : tensor<3x22xf32>
  %b = shard.shard %turned to %columns : tensor<3x22xf32>
  return %a, %b : tensor<3x22xf32>, tensor<3x22xf32>
}
