// A value is defined in a block that is listed after the block that uses it.
// RUN-CHECK: --grid 2,3,4 --seed 1
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x4xf32>
  cf.br ^bb2
^bb1:
  %r = arith.addf %y, %y : tensor<8x4xf32>
  return %r : tensor<8x4xf32>
^bb2:
  %y = arith.mulf %x, %x : tensor<8x4xf32>
  cf.br ^bb1
}
