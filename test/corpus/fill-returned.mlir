// A fill with a scalar argument is returned under an annotation; nothing else is in the function.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%p: f32) -> tensor<6x10xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %empty = tensor.empty() : tensor<6x10xf32>
  %f = linalg.fill ins(%p : f32) outs(%empty : tensor<6x10xf32>) -> tensor<6x10xf32>
  %r = shard.shard %f to %s : tensor<6x10xf32>
  return %r : tensor<6x10xf32>
}
