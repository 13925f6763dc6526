// A whole-tensor op (tosa.reverse, tosa.reduce_sum) stands between two ops that run split.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x8xf32>) -> (tensor<10x8xf32>, tensor<10x1xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %0 = math.tanh %x : tensor<10x8xf32>
  %1 = tosa.reverse %0 {axis = 0 : i32} : (tensor<10x8xf32>) -> tensor<10x8xf32>
  %2 = arith.addf %1, %x : tensor<10x8xf32>
  %3 = tosa.reduce_sum %2 {axis = 1 : i32} : (tensor<10x8xf32>) -> tensor<10x1xf32>
  return %2, %3 : tensor<10x8xf32>, tensor<10x1xf32>
}
