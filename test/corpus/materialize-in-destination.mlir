// A result goes through bufferization.materialize_in_destination into a tensor with another layout.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<10x12xf32>, %d_in: tensor<10x12xf32>) -> tensor<10x12xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1, 0]] : !shard.sharding
  %a = shard.shard %a_in to %rows : tensor<10x12xf32>
  %d = shard.shard %d_in to %columns : tensor<10x12xf32>
  %0 = math.tanh %a : tensor<10x12xf32>
  %r = bufferization.materialize_in_destination %0 in %d
      : (tensor<10x12xf32>, tensor<10x12xf32>) -> tensor<10x12xf32>
  return %r : tensor<10x12xf32>
}
