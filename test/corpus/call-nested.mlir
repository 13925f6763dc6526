// An annotated function calls one without annotations that calls another, twice.
// RUN-CHECK: --grid 1,2,4 --seed 1
shard.grid @g(shape = 4)
func.func private @twice(%x: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %y = arith.addf %x, %x : tensor<10x8xf32>
  return %y : tensor<10x8xf32>
}
func.func private @four_times(%x: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %y = func.call @twice(%x) : (tensor<10x8xf32>) -> tensor<10x8xf32>
  %z = func.call @twice(%y) : (tensor<10x8xf32>) -> tensor<10x8xf32>
  return %z : tensor<10x8xf32>
}
func.func @main(%x_in: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %rows = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %y = func.call @four_times(%x) : (tensor<10x8xf32>) -> tensor<10x8xf32>
  %z = math.tanh %y : tensor<10x8xf32>
  return %z : tensor<10x8xf32>
}
