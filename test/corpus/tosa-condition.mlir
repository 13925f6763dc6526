// Control flow of tosa runs whole, in both its branches and its loops.
// RUN-CHECK: --grid 1,2,4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x6xf32>, %c: tensor<i1>) -> (tensor<10x6xf32>, tensor<10x6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x6xf32>
  %r = tosa.cond_if %c : tensor<i1> -> tensor<10x6xf32> {
    %u = tosa.add %x, %x : (tensor<10x6xf32>, tensor<10x6xf32>) -> tensor<10x6xf32>
    tosa.yield %u : tensor<10x6xf32>
  } else {
    tosa.yield %x : tensor<10x6xf32>
  }
  %not = tosa.logical_not %c : (tensor<i1>) -> tensor<i1>
  %s = tosa.cond_if %not : tensor<i1> -> tensor<10x6xf32> {
    %u = tosa.tanh %x : (tensor<10x6xf32>) -> tensor<10x6xf32>
    tosa.yield %u : tensor<10x6xf32>
  } else {
    tosa.yield %x : tensor<10x6xf32>
  }
  return %r, %s : tensor<10x6xf32>, tensor<10x6xf32>
}
