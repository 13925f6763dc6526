// What an all-reduce of signless integers cannot say travels as an attribute.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: linalg.reduce { arith.maxsi }
// CHECK: shard.all_reduce {{.*}} reduction = max : tensor<12xi32>
// CHECK: linalg.reduce { arith.minsi }
// CHECK: shard.all_reduce {{.*}} reduction = min : tensor<12xi32>
// CHECK: linalg.reduce { arith.maxui }
// CHECK: shard.all_reduce {{.*}} reduction = max {tessera.reduction = "umax"} : tensor<12xi32>
// CHECK: linalg.reduce { arith.minui }
// CHECK: shard.all_reduce {{.*}} reduction = min {tessera.reduction = "umin"} : tensor<12xi32>

shard.grid @g(shape = 4)
func.func @main(%n_in: tensor<12x16xi32>)
    -> (tensor<12xi32>, tensor<12xi32>, tensor<12xi32>, tensor<12xi32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %n = shard.shard %n_in to %columns : tensor<12x16xi32>
  %lowest = arith.constant dense<-2147483648> : tensor<12xi32>
  %highest = arith.constant dense<2147483647> : tensor<12xi32>
  %zero = arith.constant dense<0> : tensor<12xi32>
  %ones = arith.constant dense<-1> : tensor<12xi32>
  %0 = linalg.reduce { arith.maxsi } ins(%n : tensor<12x16xi32>) outs(%lowest : tensor<12xi32>)
      dimensions = [1]
  %1 = linalg.reduce { arith.minsi } ins(%n : tensor<12x16xi32>) outs(%highest : tensor<12xi32>)
      dimensions = [1]
  %2 = linalg.reduce { arith.maxui } ins(%n : tensor<12x16xi32>) outs(%zero : tensor<12xi32>)
      dimensions = [1]
  %3 = linalg.reduce { arith.minui } ins(%n : tensor<12x16xi32>) outs(%ones : tensor<12xi32>)
      dimensions = [1]
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %r0 = shard.shard %0 to %whole : tensor<12xi32>
  %r1 = shard.shard %1 to %whole : tensor<12xi32>
  %r2 = shard.shard %2 to %whole : tensor<12xi32>
  %r3 = shard.shard %3 to %whole : tensor<12xi32>
  return %r0, %r1, %r2, %r3 : tensor<12xi32>, tensor<12xi32>, tensor<12xi32>, tensor<12xi32>
}
