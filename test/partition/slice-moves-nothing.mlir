// From whole to rows: each device cuts its own part, without a collective.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s 

// CHECK: func.func @main(%{{.*}}: tensor<12x8xf32> {{.*}}) -> (tensor<3x8xf32>
// CHECK: {{shard.all_slice|tensor.extract_slice}}
// CHECK-NOT: {{all_gather|all_to_all|all_reduce|reduce_scatter|exchange}}

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %whole : tensor<12x8xf32>
  %y = shard.shard %x to %rows annotate_for_users : tensor<12x8xf32>
  return %y : tensor<12x8xf32>
}
