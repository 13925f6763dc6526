// The initial value of a split reduction is itself split over the axis of the reduced dimension.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 2
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x16xf32>, %init_in: tensor<12xf32>) -> tensor<12xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<12x16xf32>
  %init = shard.shard %init_in to %rows : tensor<12xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<12x16xf32>) outs(%init : tensor<12xf32>)
      dimensions = [1]
  return %0 : tensor<12xf32>
}
