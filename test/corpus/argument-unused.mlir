// Arguments that nothing uses, with and without an annotation.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x4xf32>, %unused: tensor<5x5xf32>, %annotated: tensor<6x2xi32>,
                %scalar: i64) -> tensor<10x4xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x4xf32>
  %ignored = shard.shard %annotated to %rows : tensor<6x2xi32>
  %r = arith.addf %x, %x : tensor<10x4xf32>
  return %r : tensor<10x4xf32>
}
