// One value is wanted in three layouts by three uses, each from its own annotation.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x12xf32>)
    -> (tensor<10x12xf32>, tensor<10x12xf32>, tensor<10x12xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %both = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x12xf32>
  %a = shard.shard %x to %columns annotate_for_users : tensor<10x12xf32>
  %b = shard.shard %x to %both annotate_for_users : tensor<10x12xf32>
  %0 = math.tanh %x : tensor<10x12xf32>
  %1 = arith.addf %a, %a : tensor<10x12xf32>
  %2 = arith.mulf %b, %b : tensor<10x12xf32>
  return %0, %1, %2 : tensor<10x12xf32>, tensor<10x12xf32>, tensor<10x12xf32>
}
