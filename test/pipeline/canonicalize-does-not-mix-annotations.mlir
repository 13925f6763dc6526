// One constant starts an exclusive or and a conjunction: propagation writes two annotations of it that differ only
// in their partial axes, which canonicalize merges. The conjunction still starts from true on every device.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition,cse)' \
// RUN:   | FileCheck %s

// CHECK-DAG: %[[TRUE:.*]] = arith.constant dense<true> : tensor<12xi1>
// CHECK: linalg.reduce { arith.andi } ins({{.*}}) outs(%[[TRUE]] : tensor<12xi1>)
// CHECK: shard.all_reduce {{.*}} reduction = bitwise_and

shard.grid @g(shape = 4)
func.func @main(%m_in: tensor<12x16xi1>) -> (tensor<12xi1>, tensor<12xi1>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %m = shard.shard %m_in to %columns : tensor<12x16xi1>
  %true = arith.constant dense<true> : tensor<12xi1>
  %0 = linalg.reduce { arith.xori } ins(%m : tensor<12x16xi1>) outs(%true : tensor<12xi1>)
      dimensions = [1]
  %1 = linalg.reduce { arith.andi } ins(%m : tensor<12x16xi1>) outs(%true : tensor<12xi1>)
      dimensions = [1]
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %r0 = shard.shard %0 to %whole : tensor<12xi1>
  %r1 = shard.shard %1 to %whole : tensor<12xi1>
  return %r0, %r1 : tensor<12xi1>, tensor<12xi1>
}
