// The two kinds of which one value may have both, as annotations of arguments, intermediates and
// results, in either order of the axes, and gathered, scattered and changed from one to the other.
// RUN-CHECK: --entry floats --grid 2x2,1x4,4x1,2x3,3x2,1x1,4x2 --seed 1
// RUN-CHECK: --entry integers --grid 2x2,1x4,4x1,2x3,3x2,1x1,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @floats(%x_in: tensor<10x6xf32>, %y_in: tensor<10x6xf32>)
    -> (tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>) {
  %sum_average = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial sum>], [1, #shard<partial average>]]} : !shard.sharding
  %average_sum = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial average>], [1, #shard<partial sum>]]} : !shard.sharding
  %rows = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %sum = shard.sharding @g split_axes = [[1]] {tessera.partial = [[0, #shard<partial sum>]]} : !shard.sharding
  %x = shard.shard %x_in to %sum_average : tensor<10x6xf32>
  %y = shard.shard %y_in to %rows : tensor<10x6xf32>
  %a = arith.addf %x, %x : tensor<10x6xf32>
  %a0 = shard.shard %a to %rows : tensor<10x6xf32>
  %b = arith.mulf %y, %a0 : tensor<10x6xf32>
  %b0 = shard.shard %b to %average_sum : tensor<10x6xf32>
  %c = math.sin %b0 : tensor<10x6xf32>
  %d0 = shard.shard %b0 to %sum_average annotate_for_users : tensor<10x6xf32>
  %e0 = shard.shard %b0 to %sum annotate_for_users : tensor<10x6xf32>
  return %c, %d0, %e0 : tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>
}

func.func @integers(%x_in: tensor<9x6xi8>) -> (tensor<9x6xi8>, tensor<9x6xi8>, tensor<9x6xi8>) {
  %sum_average = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial sum>], [1, #shard<partial average>]]} : !shard.sharding
  %average_sum = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial average>], [1, #shard<partial sum>]]} : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %average_sum : tensor<9x6xi8>
  %a = arith.muli %x, %x : tensor<9x6xi8>
  %a0 = shard.shard %a to %sum_average : tensor<9x6xi8>
  %b = arith.addi %a0, %a0 : tensor<9x6xi8>
  %b0 = shard.shard %b to %columns : tensor<9x6xi8>
  return %x, %a0, %b0 : tensor<9x6xi8>, tensor<9x6xi8>, tensor<9x6xi8>
}
