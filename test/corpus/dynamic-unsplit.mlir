// A dimension of unknown size stays whole beside one that is split.
// RUN-CHECK: --grid 1,2,4,6 --seed 1 --shape 0=5x8
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x8xf32>
  %y = arith.addf %x, %x : tensor<?x8xf32>
  %z = math.tanh %y : tensor<?x8xf32>
  return %z : tensor<?x8xf32>
}
