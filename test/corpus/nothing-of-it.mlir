// What nobody reads an element of, because only the padding behind it is wanted, is not computed: TOSA takes no
// tensors without elements.
// RUN-CHECK: --seed 1 --grid 2,7
shard.grid @grid(shape = 7)
func.func @main(%x: tensor<3x1xf32>) -> tensor<4x1xf32> {
  %rows = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %a = shard.shard %x to %rows : tensor<3x1xf32>
  %d = tosa.sub %a, %a : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  %p = tensor.pad %d low[1, 2] high[5, 5] {
  ^bb0(%i: index, %j: index):
    %n = arith.constant 2.0 : f32
    tensor.yield %n : f32
  } : tensor<3x1xf32> to tensor<9x8xf32>
  %s = tensor.extract_slice %p[2, 7] [4, 1] [2, 1] : tensor<9x8xf32> to tensor<4x1xf32>
  return %s : tensor<4x1xf32>
}
