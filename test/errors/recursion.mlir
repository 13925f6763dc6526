// An annotated function that calls itself, and two that call each other.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{recursi}}
  %c = func.call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @odd(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %c = func.call @even(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
func.func @even(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{recursi}}
  %c = func.call @odd(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
