// Arguments are returned as they are: annotated, annotated for the result, and not annotated.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x4xf32>, %y_in: tensor<10x4xf32>, %z: tensor<3xf16>, %n: i32)
    -> (tensor<10x4xf32>, tensor<10x4xf32>, tensor<3xf16>, i32) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x4xf32>
  %y = shard.shard %y_in to %rows : tensor<10x4xf32>
  %y_out = shard.shard %y to %columns annotate_for_users : tensor<10x4xf32>
  return %x, %y_out, %z, %n : tensor<10x4xf32>, tensor<10x4xf32>, tensor<3xf16>, i32
}
