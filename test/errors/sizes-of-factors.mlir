// Sizes of factors that are no sizes: -1 alone stands for one that is not known.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[0]] {tessera.factors = [[[-1, [0]], [4, []]]]} : !shard.sharding
  // expected-error@+1 {{the factors of dimension 0 multiply to ?, expected 16}}
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %s = shard.sharding @g split_axes = [[]] {tessera.factors = [[[4, []]]]} : !shard.sharding
  // expected-error@+1 {{the factors of dimension 0 multiply to 4, expected ?}}
  %a = shard.shard %x to %s : tensor<?xf32>
  return %a : tensor<?xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[0]] {tessera.factors = [[[-4, [0]], [-4, []]]]} : !shard.sharding
  // expected-error@+1 {{factor 0 of dimension 0 of tessera.factors is not of the form [size, [axes]] with a size of 0 or more, or -1}}
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[0]] {tessera.factors = [[[4294967296, [0]], [4294967296, []]]]} : !shard.sharding
  // expected-error@+1 {{the factors of dimension 0 multiply to more than 64 bits}}
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}
