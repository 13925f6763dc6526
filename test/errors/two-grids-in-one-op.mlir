// Operands of one op on two grids, neither of which refines the other.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 2x3)
shard.grid @h(shape = 3x2)
func.func @f(%x: tensor<12xf32>, %y: tensor<12xf32>) -> tensor<12xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @h split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<12xf32>
  // expected-error-re@+1 {{grid @h{{.*}}grid @g}}
  %b = shard.shard %y to %t : tensor<12xf32>
  %c = arith.addf %a, %b : tensor<12xf32>
  return %c : tensor<12xf32>
}
