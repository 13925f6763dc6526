// An annotation that takes its sharding from another value.
shard.grid @g(shape = 2x2)
func.func @get_sharding(%a: tensor<10x4xf32>, %c: tensor<10x4xf32>) -> tensor<10x4xf32> {
  %s = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %b = shard.shard %a to %s : tensor<10x4xf32>
  %q = shard.get_sharding %b : tensor<10x4xf32> -> !shard.sharding
  %d = shard.shard %c to %q : tensor<10x4xf32>
  %e = arith.addf %b, %d : tensor<10x4xf32>
  return %e : tensor<10x4xf32>
}
