// Operands of one op on two grids.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
shard.grid @h(shape = 2x2)
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @h split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error-re@+1 {{grid @h{{.*}}grid @g}}
  %b = shard.shard %y to %t : tensor<8xf32>
  %c = arith.addf %a, %b : tensor<8xf32>
  return %c : tensor<8xf32>
}
