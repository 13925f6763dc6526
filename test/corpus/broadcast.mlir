// linalg.broadcast along new dimensions, one of which is split by an annotation of the result.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10xf32>) -> tensor<6x10x4xf32> {
  %s = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10xf32>
  %empty = tensor.empty() : tensor<6x10x4xf32>
  %b = linalg.broadcast ins(%x : tensor<10xf32>) outs(%empty : tensor<6x10x4xf32>)
      dimensions = [0, 2]
  %r = shard.shard %b to %t : tensor<6x10x4xf32>
  return %r : tensor<6x10x4xf32>
}
