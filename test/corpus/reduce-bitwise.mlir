// And, or, xor over a split dimension, of i32 and of i1, from initial values that matter.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%n_in: tensor<12x16xi32>, %m_in: tensor<12x16xi1>)
    -> (tensor<12xi32>, tensor<12xi32>, tensor<12xi32>, tensor<12xi1>, tensor<12xi1>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %n = shard.shard %n_in to %columns : tensor<12x16xi32>
  %m = shard.shard %m_in to %columns : tensor<12x16xi1>
  %a = arith.constant dense<-3> : tensor<12xi32>
  %b = arith.constant dense<4096> : tensor<12xi32>
  %true = arith.constant dense<true> : tensor<12xi1>
  %forced = arith.constant dense<-256> : tensor<12x16xi32>
  %high = arith.ori %n, %forced : tensor<12x16xi32>
  %0 = linalg.reduce { arith.andi } ins(%high : tensor<12x16xi32>) outs(%a : tensor<12xi32>)
      dimensions = [1]
  %1 = linalg.reduce { arith.ori } ins(%n : tensor<12x16xi32>) outs(%b : tensor<12xi32>)
      dimensions = [1]
  %2 = linalg.reduce { arith.xori } ins(%n : tensor<12x16xi32>) outs(%b : tensor<12xi32>)
      dimensions = [1]
  %3 = linalg.reduce { arith.xori } ins(%m : tensor<12x16xi1>) outs(%true : tensor<12xi1>)
      dimensions = [1]
  %4 = linalg.reduce { arith.andi } ins(%m : tensor<12x16xi1>) outs(%true : tensor<12xi1>)
      dimensions = [1]
  return %0, %1, %2, %3, %4
      : tensor<12xi32>, tensor<12xi32>, tensor<12xi32>, tensor<12xi1>, tensor<12xi1>
}
