// A module with a shard.get_sharding is read again once that is answered: remarks are made once,
// whether they stand before the question, after it or around it.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' -o /dev/null 2>&1 | FileCheck %s

// CHECK-NOT: remark
// CHECK: remarks-once.mlir:[[# @LINE + 11]]:8: remark: 'scf.if' runs whole
// CHECK: remarks-once.mlir:[[# @LINE + 17]]:10: remark: annotation inside 'scf.if'
// CHECK: remarks-once.mlir:[[# @LINE + 22]]:8: remark: 'scf.if' runs whole
// CHECK-NOT: remark

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>, %p: i1)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  // The first.
  %r = scf.if %p -> tensor<8x8xf32> {
    %b = arith.addf %a, %a : tensor<8x8xf32>
    scf.yield %b : tensor<8x8xf32>
  } else {
    // A question inside of what runs whole.
    %i = shard.get_sharding %a : tensor<8x8xf32> -> !shard.sharding
    %c = arith.mulf %a, %a : tensor<8x8xf32>
    %d = shard.shard %c to %s : tensor<8x8xf32>
    scf.yield %d : tensor<8x8xf32>
  }
  %q = shard.get_sharding %a : tensor<8x8xf32> -> !shard.sharding
  %e = shard.shard %r to %q : tensor<8x8xf32>
  // The second.
  %t = scf.if %p -> tensor<8x8xf32> {
    scf.yield %e : tensor<8x8xf32>
  } else {
    scf.yield %a : tensor<8x8xf32>
  }
  return %r, %e, %t : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
