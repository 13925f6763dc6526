// One constant is used in two blocks, neither of which dominates the other, and returned.
// RUN-CHECK: --grid 2x2,3x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<8x4xf32>, %c: i1, %y_in: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x4xf32>
  %y = shard.shard %y_in to %t : tensor<8x4xf32>
  %k = arith.constant dense<2.0> : tensor<8x4xf32>
  cf.cond_br %c, ^bb1(%x : tensor<8x4xf32>), ^bb2(%y, %k : tensor<8x4xf32>, tensor<8x4xf32>)
^bb1(%a: tensor<8x4xf32>):
  %m = arith.mulf %a, %k : tensor<8x4xf32>
  %ms = shard.shard %m to %s : tensor<8x4xf32>
  %n = arith.addf %ms, %y : tensor<8x4xf32>
  return %ms, %n : tensor<8x4xf32>, tensor<8x4xf32>
^bb2(%b: tensor<8x4xf32>, %d: tensor<8x4xf32>):
  %bs = shard.shard %b to %t : tensor<8x4xf32>
  %e = arith.addf %bs, %d : tensor<8x4xf32>
  return %k, %e : tensor<8x4xf32>, tensor<8x4xf32>
}
