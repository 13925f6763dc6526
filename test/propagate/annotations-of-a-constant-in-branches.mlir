// What propagation says of a constant stands in its own block, so that upstream's canonicalization, which
// merges annotations of one value, makes no invalid IR of it; the source may have annotated it elsewhere.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate)' \
// RUN:   | FileCheck %s
// CHECK: %[[C:.*]] = arith.constant dense<3>
// CHECK: shard.shard %[[C]] to
// CHECK: scf.if
// CHECK-NOT: %[[C]]
// CHECK: } else {
shard.grid @grid(shape = 2)
func.func @main(%a: tensor<8x8xi32>, %c: tensor<i1>) -> (tensor<8x8xi32>, tensor<8x8xi32>) {
  %s = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %k = arith.constant dense<3> : tensor<8x8xi32>
  %b = tensor.extract %c[] : tensor<i1>
  %y = scf.if %b -> (tensor<8x8xi32>) {
    %t = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
    %u = shard.shard %k to %t : tensor<8x8xi32>
    scf.yield %u : tensor<8x8xi32>
  } else {
    scf.yield %a : tensor<8x8xi32>
  }
  %r = shard.shard %k to %s : tensor<8x8xi32>
  %z = arith.addi %r, %y : tensor<8x8xi32>
  return %y, %z : tensor<8x8xi32>, tensor<8x8xi32>
}
