// A split beyond the rank of the tensor; empty lists there are allowed.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 2x2)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[], [], [1]] : !shard.sharding
  // expected-error-re@+1 {{dimension 2{{.*}}2 dimensions}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0], [], []] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
