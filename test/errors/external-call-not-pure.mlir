// A call of an external function that may have effects.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func private @external(%x: tensor<8xf32>) -> tensor<8xf32>
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{external}}
  %c = func.call @external(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
