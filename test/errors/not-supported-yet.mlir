// Split dimensions of unknown size say that they are not supported.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // expected-error-re@+1 {{dynamic dimension{{.*}}not supported yet}}
  %a = shard.shard %x to %s : tensor<?x8xf32>
  return %a : tensor<?x8xf32>
}
