// A tensor of rank 0 has nothing to split.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 2x2)
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // expected-error@+1 {{rank 0}}
  %a = shard.shard %x to %s : tensor<f32>
  return %a : tensor<f32>
}
