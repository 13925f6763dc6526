// A layout whose numbers divide by zero ends the checker as the program itself would: one message.
// RUN: not %tessera_check %s 2>&1 | FileCheck %s
// CHECK-NOT: error:
// CHECK: division-before-the-call.mlir:9:8: error: 'arith.divsi' on rank {{[01]}}: an integer division by zero
// CHECK-NOT: error:
shard.grid @g(shape = 2)
func.func @main(%x: tensor<12xf64>, %n: i64 {tessera.range = [0, 1]}) -> tensor<12xf64> {
  %eight = arith.constant 8 : i64
  %h = arith.divsi %eight, %n : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%h, 1] : !shard.sharding
  %a = shard.shard %x to %s : tensor<12xf64>
  %t = math.tanh %a : tensor<12xf64>
  return %t : tensor<12xf64>
}
