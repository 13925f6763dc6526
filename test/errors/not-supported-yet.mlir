// Split dimensions of unknown size, halos and offsets of unknown size say that they are not supported.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // expected-error-re@+1 {{dynamic dimension{{.*}}not supported yet}}
  %a = shard.shard %x to %s : tensor<?x8xf32>
  return %a : tensor<?x8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>, %n: i64) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [1, %n] : !shard.sharding
  // expected-error-re@+1 {{halo{{.*}}known}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2)
func.func @f(%x: tensor<8x8xf32>, %n: i64) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %n, 8] : !shard.sharding
  // expected-error-re@+1 {{offsets{{.*}}known}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
