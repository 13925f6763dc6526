// A loop of one trip is taken out when the program is lowered, and x ^ x, x = x are found in what it did, of sizes that
// only the run says: no constant has such a type.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,tessera-lower)' | FileCheck %s
// RUN: %tessera_check %s --shape 0=5x3 --grid 3 --seed 1
// CHECK-NOT: dense<{{.*}}<?x3x
// CHECK: tessera_program
shard.grid @g(shape = 2)
func.func @main(%a_in: tensor<?x3xi32>, %b: tensor<4x6xi32>) -> (tensor<?x3xi32>, tensor<?x3xi1>, tensor<6x4xi32>) {
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
  // What tosa is lowered by takes out the loop.
  %t = tosa.transpose %b {perms = array<i32: 1, 0>} : (tensor<4x6xi32>) -> tensor<6x4xi32>
  return %r#0, %r#1, %t : tensor<?x3xi32>, tensor<?x3xi1>, tensor<6x4xi32>
}
