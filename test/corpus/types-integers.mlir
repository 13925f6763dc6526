// Sums and transposing reshards of i8, i16, i64 and index, which wrap alike everywhere.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<6x10xi8>, %b_in: tensor<6x10xi16>, %c_in: tensor<6x10xi64>,
                %d_in: tensor<6x10xindex>)
    -> (tensor<6xi8>, tensor<6xi16>, tensor<6xi64>, tensor<6x10xindex>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<6x10xi8>
  %b = shard.shard %b_in to %s : tensor<6x10xi16>
  %c = shard.shard %c_in to %s : tensor<6x10xi64>
  %d = shard.shard %d_in to %s : tensor<6x10xindex>
  %za = arith.constant dense<0> : tensor<6xi8>
  %zb = arith.constant dense<0> : tensor<6xi16>
  %zc = arith.constant dense<0> : tensor<6xi64>
  %0 = linalg.reduce { arith.addi } ins(%a : tensor<6x10xi8>) outs(%za : tensor<6xi8>)
      dimensions = [1]
  %1 = linalg.reduce { arith.addi } ins(%b : tensor<6x10xi16>) outs(%zb : tensor<6xi16>)
      dimensions = [1]
  %2 = linalg.reduce { arith.addi } ins(%c : tensor<6x10xi64>) outs(%zc : tensor<6xi64>)
      dimensions = [1]
  %3 = shard.shard %d to %t annotate_for_users : tensor<6x10xindex>
  %4 = arith.addi %3, %3 : tensor<6x10xindex>
  return %0, %1, %2, %4 : tensor<6xi8>, tensor<6xi16>, tensor<6xi64>, tensor<6x10xindex>
}
