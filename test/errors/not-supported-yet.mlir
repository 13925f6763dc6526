// Halos, offsets and split dimensions of unknown size say that they are not supported yet.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 1] : !shard.sharding
  // expected-error-re@+1 {{halo{{.*}}not supported yet}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 2, 5, 7, 8] : !shard.sharding
  // expected-error-re@+1 {{offsets{{.*}}not supported yet}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // expected-error-re@+1 {{dynamic dimension{{.*}}not supported yet}}
  %a = shard.shard %x to %s : tensor<?x8xf32>
  return %a : tensor<?x8xf32>
}
