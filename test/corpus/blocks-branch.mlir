// Two blocks: a tensor that is split in the first goes to the second as a block argument.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %y = math.tanh %x : tensor<10x8xf32>
  cf.br ^next(%y : tensor<10x8xf32>)
^next(%z: tensor<10x8xf32>):
  %w = arith.addf %z, %x : tensor<10x8xf32>
  return %w : tensor<10x8xf32>
}
