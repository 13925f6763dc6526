// A sharding on a grid that does not exist.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 2x2)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{nowhere}}
  %s = shard.sharding @nowhere split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
