// Each device takes its slice of a constant that is no splat.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<3x5xf32>
  %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0],
                             [6.0, 7.0, 8.0, 9.0, 10.0],
                             [11.0, 12.0, 13.0, 14.0, 15.0]]> : tensor<3x5xf32>
  %r = arith.addf %x, %c : tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
