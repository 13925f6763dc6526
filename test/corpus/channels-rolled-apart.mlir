// Two of three channels are rolled along split rows, in opposite directions, and one is not: of each only its own
// channel is fetched.
// RUN-CHECK: --grid 1x1,2x1,2x2,4x2,5x1 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%f_in: tensor<3x13x6xf32>) -> (tensor<13x6xf32>, tensor<13x6xf32>) {
  %cells = shard.sharding @g split_axes = [[], [0], [1]] : !shard.sharding
  %f = shard.shard %f_in to %cells : tensor<3x13x6xf32>
  %a = tensor.extract_slice %f[0, 0, 0] [1, 13, 6] [1, 1, 1] : tensor<3x13x6xf32> to tensor<13x6xf32>
  %b = tensor.extract_slice %f[1, 0, 0] [1, 13, 6] [1, 1, 1] : tensor<3x13x6xf32> to tensor<13x6xf32>
  %c = tensor.extract_slice %f[2, 0, 0] [1, 13, 6] [1, 1, 1] : tensor<3x13x6xf32> to tensor<13x6xf32>
  %a0 = tensor.extract_slice %a[12, 0] [1, 6] [1, 1] : tensor<13x6xf32> to tensor<1x6xf32>
  %a1 = tensor.extract_slice %a[0, 0] [12, 6] [1, 1] : tensor<13x6xf32> to tensor<12x6xf32>
  %down = tensor.concat dim(0) %a0, %a1 : (tensor<1x6xf32>, tensor<12x6xf32>) -> tensor<13x6xf32>
  %b0 = tensor.extract_slice %b[2, 0] [11, 6] [1, 1] : tensor<13x6xf32> to tensor<11x6xf32>
  %b1 = tensor.extract_slice %b[0, 0] [2, 6] [1, 1] : tensor<13x6xf32> to tensor<2x6xf32>
  %up = tensor.concat dim(0) %b0, %b1 : (tensor<11x6xf32>, tensor<2x6xf32>) -> tensor<13x6xf32>
  %both = arith.addf %down, %up : tensor<13x6xf32>
  %all = arith.mulf %both, %c : tensor<13x6xf32>
  %last = tensor.extract_slice %f[2, 1, 0] [1, 12, 6] [1, 1, 1] : tensor<3x13x6xf32> to tensor<12x6xf32>
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %last low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<12x6xf32> to tensor<13x6xf32>
  return %all, %padded : tensor<13x6xf32>, tensor<13x6xf32>
}
