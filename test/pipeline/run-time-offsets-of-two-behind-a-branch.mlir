// Two arguments whose offsets are the same numbers, annotated behind what canonicalization makes a branch: where the
// second one's annotation is restored, it takes the numbers that the first one has already.
// RUN: %mlir_opt --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate)' %s | FileCheck %s

// CHECK-LABEL: func.func @main(%arg0: {{.*}}, %arg1: {{.*}}, %arg2:
// CHECK: %[[G:.*]] = shard.sharding @grid split_axes = {{\[\[}}], [0]] sharded_dims_offsets = [0, %[[K:.*]], %[[N:.*]]]
// CHECK: shard.shard %arg1 to %[[G]]
// CHECK: %[[H:.*]] = shard.sharding @grid split_axes = {{\[\[}}], [0]] sharded_dims_offsets = [0, %[[K]], %[[N]]]
// CHECK: shard.shard %arg2 to %[[H]]
// CHECK: cf.cond_br
shard.grid @grid(shape = 2)
func.func @main(%x: tensor<4x5xf64>, %a: tensor<4x?xf64>, %b: tensor<4x?xf64>) -> (tensor<4x5xf64>, tensor<4x?xf64>, tensor<4x?xf64>) {
  %s = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %y = shard.shard %x to %s : tensor<4x5xf64>
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c1 : tensor<4x?xf64>
  %m = arith.index_cast %n : index to i64
  %k3 = arith.constant 3 : i64
  %k = arith.minsi %m, %k3 : i64
  %g = shard.sharding @grid split_axes = [[], [0]] sharded_dims_offsets = [0, %k, %m] : !shard.sharding
  %even = arith.remui %n, %c1 : index
  %is = arith.cmpi eq, %n, %even : index
  %r = scf.execute_region -> tensor<4x5xf64> {
    cf.cond_br %is, ^bb1, ^bb2
  ^bb1:
    %p = arith.addf %y, %y : tensor<4x5xf64>
    cf.br ^bb3(%p : tensor<4x5xf64>)
  ^bb2:
    %q = arith.mulf %y, %y : tensor<4x5xf64>
    cf.br ^bb3(%q : tensor<4x5xf64>)
  ^bb3(%z: tensor<4x5xf64>):
    scf.yield %z : tensor<4x5xf64>
  }
  %u = shard.shard %a to %g : tensor<4x?xf64>
  %v = shard.shard %b to %g : tensor<4x?xf64>
  return %r, %u, %v : tensor<4x5xf64>, tensor<4x?xf64>, tensor<4x?xf64>
}
