// Canonicalization takes regions of several blocks out of their ops: an annotation of an argument may
// then stand behind a branch. It is written anew where callers can know its numbers.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse)' | FileCheck %s --check-prefix=BEFORE
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' | FileCheck %s --check-prefix=PART
shard.grid @g(shape = 2)
// BEFORE-LABEL: func.func @main
// BEFORE: cf.cond_br
// BEFORE: arith.remsi
// BEFORE: shard.shard %arg1 to
// CHECK-LABEL: func.func @main
// CHECK: %[[HALO:.*]] = arith.remsi
// CHECK: shard.sharding @g split_axes = {{\[\[}}0]] halo_sizes = [%[[HALO]], 1]
// CHECK: shard.shard %arg1 to
// CHECK: cf.cond_br
// CHECK-NOT: shard.shard %arg1 to
// PART-LABEL: func.func @main
// PART: %[[HALO:.*]] = arith.remsi
// PART: cf.cond_br
// PART: arith.index_cast %[[HALO]]
// PART: tessera.exchange %arg1
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: i64, %more: i1)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %r = scf.execute_region -> tensor<8xf32> {
    cf.cond_br %more, ^one, ^two(%a : tensor<8xf32>)
  ^one:
    %t = arith.addf %a, %a : tensor<8xf32>
    cf.br ^two(%t : tensor<8xf32>)
  ^two(%e: tensor<8xf32>):
    scf.yield %e : tensor<8xf32>
  }
  %two = arith.constant 2 : i64
  %halo = arith.remsi %n, %two : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%halo, 1] : !shard.sharding
  %x = shard.shard %b to %s : tensor<8xf32>
  %y = arith.addf %x, %x : tensor<8xf32>
  %z = shard.shard %y to %s : tensor<8xf32>
  return %r, %z : tensor<8xf32>, tensor<8xf32>
}
