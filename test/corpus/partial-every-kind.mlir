// Each kind of partial value as an annotation of arguments, intermediates and results that were
// whole, split or partial by another kind.
// RUN-CHECK: --entry floats --grid 2x2,1x4,4x1,2x3,3x2,1x1,4x2 --seed 1
// RUN-CHECK: --entry integers --grid 2x2,1x4,4x1,2x3,3x2,1x1,4x2 --seed 1
// RUN-CHECK: --entry booleans --grid 2x2,1x4,4x1,2x3,3x2,1x1,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @floats(%x_in: tensor<10x6xf32>, %y_in: tensor<10x6xf32>)
    -> (tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>) {
  %average = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial average>]]} : !shard.sharding
  %least = shard.sharding @g split_axes = [[], [1]] {tessera.partial = [[0, #shard<partial min>]]} : !shard.sharding
  %factors = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial product>], [1, #shard<partial product>]]} : !shard.sharding
  %rows = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %average : tensor<10x6xf32>
  %y = shard.shard %y_in to %rows : tensor<10x6xf32>
  %a = math.tanh %x : tensor<10x6xf32>
  %a0 = shard.shard %a to %least : tensor<10x6xf32>
  %b = arith.addf %y, %y : tensor<10x6xf32>
  %b0 = shard.shard %b to %average : tensor<10x6xf32>
  %c = arith.mulf %y, %y : tensor<10x6xf32>
  %c0 = shard.shard %c to %factors : tensor<10x6xf32>
  %d = math.sin %c0 : tensor<10x6xf32>
  %d0 = shard.shard %d to %rows : tensor<10x6xf32>
  return %a0, %b0, %c0, %d0 : tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>
}

func.func @integers(%x_in: tensor<9x6xi32>, %y_in: tensor<9x6xi32>)
    -> (tensor<9x6xi32>, tensor<9x6xi32>, tensor<9x6xi32>, tensor<9x6xi32>, tensor<9x6xi32>) {
  %and = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial bitwise_and>]]} : !shard.sharding
  %or = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial bitwise_or>]]} : !shard.sharding
  %xor = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial bitwise_xor>], [1, #shard<partial bitwise_xor>]]} : !shard.sharding
  %average = shard.sharding @g split_axes = [[1]] {tessera.partial = [[0, #shard<partial average>]]} : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %and : tensor<9x6xi32>
  %y = shard.shard %y_in to %xor : tensor<9x6xi32>
  %a = arith.addi %x, %y : tensor<9x6xi32>
  %a0 = shard.shard %a to %or : tensor<9x6xi32>
  %b = arith.muli %a0, %x : tensor<9x6xi32>
  %b0 = shard.shard %b to %columns : tensor<9x6xi32>
  %c0 = shard.shard %b0 to %and annotate_for_users : tensor<9x6xi32>
  %d0 = shard.shard %b0 to %average annotate_for_users : tensor<9x6xi32>
  return %a0, %c0, %d0, %b0, %y
      : tensor<9x6xi32>, tensor<9x6xi32>, tensor<9x6xi32>, tensor<9x6xi32>, tensor<9x6xi32>
}

func.func @booleans(%x_in: tensor<9x6xi1>) -> (tensor<9x6xi1>, tensor<9x6xi1>) {
  %and = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial bitwise_and>]]} : !shard.sharding
  %or = shard.sharding @g split_axes = [[], [0]] {tessera.partial = [[1, #shard<partial bitwise_or>]]} : !shard.sharding
  %x = shard.shard %x_in to %and : tensor<9x6xi1>
  %a = arith.xori %x, %x : tensor<9x6xi1>
  %b = arith.cmpi eq, %a, %x : tensor<9x6xi1>
  %b0 = shard.shard %b to %or : tensor<9x6xi1>
  return %b0, %x : tensor<9x6xi1>, tensor<9x6xi1>
}
