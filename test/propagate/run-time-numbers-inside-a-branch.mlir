// An argument whose first use is an annotation inside a branch, with a number that is computed in front
// of the branch: its layout is told as soon as the number is there, and passes find it again.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,tessera-partition)'
shard.grid @g(shape = 2x2)
// CHECK-LABEL: func.func @main
// CHECK: %[[HALO:.*]] = arith.remsi
// CHECK: shard.sharding @g split_axes = {{\[\[}}], [1]] halo_sizes = [%[[HALO]], 1]
// CHECK-NEXT: %[[S:.*]] = shard.sharding @g split_axes = {{\[\[}}], [1]] halo_sizes = [%[[HALO]], 1] : !shard.sharding{{$}}
// CHECK-NEXT: %[[X:.*]] = shard.shard %arg0 to %[[S]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: shard.shard %[[X]] to
func.func @main(%b: tensor<4x?xf32>, %n: i64, %more: i1, %a: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %two = arith.constant 2 : i64
  %halo = arith.remsi %n, %two : i64
  %s = shard.sharding @g split_axes = [[], [1]] halo_sizes = [%halo, 1] : !shard.sharding
  %r = scf.if %more -> (tensor<4x?xf32>) {
    %y = shard.shard %b to %s : tensor<4x?xf32>
    %sum = arith.addf %y, %y : tensor<4x?xf32>
    scf.yield %sum : tensor<4x?xf32>
  } else {
    scf.yield %a : tensor<4x?xf32>
  }
  return %r : tensor<4x?xf32>
}
