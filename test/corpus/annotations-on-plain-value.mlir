// Several annotations of one plain value: the first defines it, the others are for their users.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x: tensor<10x12xf32>) -> (tensor<10x12xf32>, tensor<10x12xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %y = math.tanh %x : tensor<10x12xf32>
  %a = shard.shard %y to %rows : tensor<10x12xf32>
  %b = shard.shard %y to %columns annotate_for_users : tensor<10x12xf32>
  %0 = arith.addf %a, %a : tensor<10x12xf32>
  %1 = arith.mulf %b, %b : tensor<10x12xf32>
  return %0, %1 : tensor<10x12xf32>, tensor<10x12xf32>
}
