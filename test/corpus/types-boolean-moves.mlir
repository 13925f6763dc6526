// Booleans are gathered and cut again, and reduced by or and and.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%m_in: tensor<10x6xi1>) -> (tensor<10x6xi1>, tensor<10x6xi1>, tensor<6xi1>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %m = shard.shard %m_in to %rows : tensor<10x6xi1>
  %a = shard.shard %m to %columns annotate_for_users : tensor<10x6xi1>
  %b = shard.shard %m to %whole annotate_for_users : tensor<10x6xi1>
  %true = arith.constant dense<true> : tensor<10x6xi1>
  %not = arith.xori %b, %true : tensor<10x6xi1>
  %false = arith.constant dense<false> : tensor<6xi1>
  %any = linalg.reduce { arith.ori } ins(%m : tensor<10x6xi1>) outs(%false : tensor<6xi1>)
      dimensions = [0]
  return %a, %not, %any : tensor<10x6xi1>, tensor<10x6xi1>, tensor<6xi1>
}
