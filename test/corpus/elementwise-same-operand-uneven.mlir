// x - x, x xor x and select of equal values fold to constants, whose type must not be dynamic; also
// where only a branch that is always taken makes the values equal.
// RUN-CHECK: --grid 1,2,3,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x4xi64>, %y_in: tensor<10xi1>)
    -> (tensor<10x4xi64>, tensor<10x4xi64>, tensor<10xi1>, tensor<10x4xi64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x4xi64>
  %y = shard.shard %y_in to %rows : tensor<10xi1>
  %0 = arith.xori %x, %x : tensor<10x4xi64>
  %1 = arith.subi %x, %x : tensor<10x4xi64>
  %2 = arith.cmpi eq, %x, %x : tensor<10x4xi64>
  %3 = arith.extui %2 : tensor<10x4xi1> to tensor<10x4xi64>
  %4 = arith.addi %1, %3 : tensor<10x4xi64>
  %5 = arith.xori %y, %y : tensor<10xi1>
  %yes = arith.constant true
  %6 = scf.execute_region -> tensor<10x4xi64> {
    cf.cond_br %yes, ^one(%x : tensor<10x4xi64>), ^two
  ^one(%u: tensor<10x4xi64>):
    %t = arith.xori %x, %u : tensor<10x4xi64>
    cf.br ^end(%t : tensor<10x4xi64>)
  ^two:
    cf.br ^end(%x : tensor<10x4xi64>)
  ^end(%e: tensor<10x4xi64>):
    scf.yield %e : tensor<10x4xi64>
  }
  return %0, %4, %5, %6 : tensor<10x4xi64>, tensor<10x4xi64>, tensor<10xi1>, tensor<10x4xi64>
}
