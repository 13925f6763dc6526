// A loop of one trip is taken out when the program is lowered, and x ^ x, x = x are found in what it did, of sizes that
// the run says.
// RUN-CHECK: --shape 0=5x3 --grid 2,3 --seed 1
shard.grid @g(shape = 2)
func.func @main(%a_in: tensor<?x3xi32>) -> (tensor<?x3xi32>, tensor<?x3xi1>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %rows : tensor<?x3xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.cmpi slt, %a, %a : tensor<?x3xi32>
  %r:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%u = %a, %v = %none) -> (tensor<?x3xi32>, tensor<?x3xi1>) {
    %x = arith.xori %u, %a : tensor<?x3xi32>
    %is = arith.cmpi ule, %u, %a : tensor<?x3xi32>
    scf.yield %x, %is : tensor<?x3xi32>, tensor<?x3xi1>
  }
  return %r#0, %r#1 : tensor<?x3xi32>, tensor<?x3xi1>
}
