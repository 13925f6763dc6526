// Helper functions that return an annotated tensor.empty and that gather their argument.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func private @allocate() -> tensor<10x12xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %empty = tensor.empty() : tensor<10x12xf32>
  %r = shard.shard %empty to %s : tensor<10x12xf32>
  return %r : tensor<10x12xf32>
}
func.func private @gather(%x_in: tensor<10x12xf32>) -> tensor<10x12xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x12xf32>
  %r = shard.shard %x to %whole annotate_for_users : tensor<10x12xf32>
  return %r : tensor<10x12xf32>
}
func.func @main(%a_in: tensor<10x6xf32>, %b: tensor<6x12xf32>) -> tensor<10x12xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %rows : tensor<10x6xf32>
  %zero = arith.constant 0.0 : f32
  %e = func.call @allocate() : () -> tensor<10x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x12xf32>) -> tensor<10x12xf32>
  %c = linalg.matmul ins(%a, %b : tensor<10x6xf32>, tensor<6x12xf32>) outs(%f : tensor<10x12xf32>)
      -> tensor<10x12xf32>
  %r = func.call @gather(%c) : (tensor<10x12xf32>) -> tensor<10x12xf32>
  return %r : tensor<10x12xf32>
}
