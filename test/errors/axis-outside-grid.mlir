// An axis that the grid does not have, on an argument, a constant and beside a good axis.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 2x2)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[2]] : !shard.sharding
  // expected-error-re@+1 {{axis 2 {{.*}}grid @g{{.*}}2 axes}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[], [3]] : !shard.sharding
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-error-re@+1 {{axis 3 {{.*}}grid @g}}
  %a = shard.shard %e to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0, 7]] : !shard.sharding
  %y = arith.addf %x, %x : tensor<8x8xf32>
  // expected-error-re@+1 {{axis 7 {{.*}}grid @g}}
  %a = shard.shard %y to %s annotate_for_users : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
