// A module with a shard.get_sharding is read again once that is answered: remarks are made once,
// whether they stand before the question, after it or around it.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' -o /dev/null 2>&1 | FileCheck %s

// CHECK-NOT: remark
// CHECK: remarks-once.mlir:[[# @LINE + 13]]:8: warning: 'scf.parallel' runs whole
// CHECK: remarks-once.mlir:[[# @LINE + 16]]:10: remark: annotation inside 'scf.parallel'
// CHECK: remarks-once.mlir:[[# @LINE + 24]]:8: warning: 'scf.parallel' runs whole
// CHECK-NOT: remark

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>, %n: index)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // The first.
  %r = scf.parallel (%j) = (%zero) to (%n) step (%one) init (%a) -> tensor<8x8xf32> {
    // A question inside of what runs whole.
    %i = shard.get_sharding %a : tensor<8x8xf32> -> !shard.sharding
    %c = arith.mulf %a, %a : tensor<8x8xf32>
    %d = shard.shard %c to %s : tensor<8x8xf32>
    scf.reduce(%d : tensor<8x8xf32>) {
    ^bb0(%l: tensor<8x8xf32>, %m: tensor<8x8xf32>):
      scf.reduce.return %l : tensor<8x8xf32>
    }
  }
  %q = shard.get_sharding %a : tensor<8x8xf32> -> !shard.sharding
  %e = shard.shard %r to %q : tensor<8x8xf32>
  // The second.
  %t = scf.parallel (%j) = (%zero) to (%n) step (%one) init (%e) -> tensor<8x8xf32> {
    scf.reduce(%a : tensor<8x8xf32>) {
    ^bb0(%l: tensor<8x8xf32>, %m: tensor<8x8xf32>):
      scf.reduce.return %l : tensor<8x8xf32>
    }
  }
  return %r, %e, %t : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
