// A split dimension that is reshaped behind a pad along another one: fusion moved the reshape to the padded
// argument, before its extents were computed.
// RUN-CHECK: --grid 2,3,1
shard.grid @grid(shape = 2)
func.func @main(%x: tensor<5x7xf32>) -> tensor<6x7x1xf32> {
  %s = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<5x7xf32>
  %two = arith.constant 2.0 : f32
  %p = tensor.pad %a low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f32
  } : tensor<5x7xf32> to tensor<6x7xf32>
  %e = tensor.expand_shape %p [[0], [1, 2]] output_shape [6, 7, 1] : tensor<6x7xf32> into tensor<6x7x1xf32>
  return %e : tensor<6x7x1xf32>
}
