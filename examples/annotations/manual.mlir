// A manual region. The middle of the program is written for one device: @ring computes on pieces and sends
// its rows around by hand. What is around it is partitioned as always, and given and taken in pieces.
shard.grid @grid(shape = 4)

// Each device adds the rows of the next one to its own.
func.func private @ring(
    %x: tensor<16x64xf32> {tessera.layout = {grid = @grid, global = tensor<64x64xf32>, factors = [[[64, [0]]], [[64, []]]]}})
    -> (tensor<16x64xf32> {tessera.layout = {grid = @grid, global = tensor<64x64xf32>, factors = [[[64, [0]]], [[64, []]]]}}) {
  %next = shard.shift %x on @grid grid_axes = [0] shift_axis = 0 offset = -1 rotate : tensor<16x64xf32> -> tensor<16x64xf32>
  %y = arith.addf %x, %next : tensor<16x64xf32>
  return %y : tensor<16x64xf32>
}

func.func @main(%input: tensor<64x64xf32>) -> tensor<64xf32> {
  %t = math.tanh %input : tensor<64x64xf32>
  %split = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %x = shard.shard %t to %split : tensor<64x64xf32>
  %y = tessera.manual @ring(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %sums = linalg.reduce {arith.addf} ins(%y : tensor<64x64xf32>) outs(%zero : tensor<64xf32>) dimensions = [1]
  return %sums : tensor<64xf32>
}
