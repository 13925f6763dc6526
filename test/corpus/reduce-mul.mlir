// Products over a split dimension, of floats near one and of integers that wrap, initial value 3.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x16xf32>, %n_in: tensor<12x16xi32>)
    -> (tensor<12xf32>, tensor<12xi32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<12x16xf32>
  %n = shard.shard %n_in to %columns : tensor<12x16xi32>
  %tenth = arith.constant dense<0.1> : tensor<12x16xf32>
  %one = arith.constant dense<1.0> : tensor<12x16xf32>
  %odd = arith.constant dense<1> : tensor<12x16xi32>
  %small = arith.mulf %x, %tenth : tensor<12x16xf32>
  %near = arith.addf %small, %one : tensor<12x16xf32>
  %bits = arith.ori %n, %odd : tensor<12x16xi32>
  %three = arith.constant dense<3.0> : tensor<12xf32>
  %three_i = arith.constant dense<3> : tensor<12xi32>
  %0 = linalg.reduce { arith.mulf } ins(%near : tensor<12x16xf32>) outs(%three : tensor<12xf32>)
      dimensions = [1]
  %1 = linalg.reduce { arith.muli } ins(%bits : tensor<12x16xi32>) outs(%three_i : tensor<12xi32>)
      dimensions = [1]
  return %0, %1 : tensor<12xf32>, tensor<12xi32>
}
