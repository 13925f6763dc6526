// Shard offsets that end elsewhere than the dimension, or are too many.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 2, 5, 7, 9] : !shard.sharding
  // expected-error-re@+1 {{offsets{{.*}}9{{.*}}8}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{offsets}}
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 2, 8] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{offsets}}
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 5, 3, 7, 8] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
