// Two operands of one op have the same merged dimension, one cut in blocks, one in strided blocks.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<4x12xf32>, %y_in: tensor<48xf32>) -> tensor<48xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x12xf32>
  %y = shard.shard %y_in to %t : tensor<48xf32>
  %m = tensor.collapse_shape %x [[0, 1]] : tensor<4x12xf32> into tensor<48xf32>
  %r = arith.addf %m, %y : tensor<48xf32>
  return %r : tensor<48xf32>
}
