// What is wrong with an attribute of growth is said at the annotation.
// RUN: %mlir_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tessera-propagate)'

shard.grid @g(shape = 2x2)
func.func @open_dimension(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @+1 {{the sharding was made here}}
  %s = shard.sharding @g split_axes = [[]] {tessera.open = [1]} : !shard.sharding
  // expected-error @+1 {{tessera.open names dimension 1, but the tensor has 1 dimensions}}
  %y = shard.shard %x to %s : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @open_word(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @+1 {{the sharding was made here}}
  %s = shard.sharding @g split_axes = [[]] {tessera.open = "rows"} : !shard.sharding
  // expected-error @+1 {{tessera.open is neither a flag nor a list of dimensions}}
  %y = shard.shard %x to %s : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @replicated(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @+1 {{the sharding was made here}}
  %s = shard.sharding @g split_axes = [[0]] {tessera.open, tessera.replicated = [0]} : !shard.sharding
  // expected-error @+1 {{axis 0 is in tessera.replicated and in split_axes: expected it in one of them}}
  %y = shard.shard %x to %s : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @replicated_axis(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @+1 {{the sharding was made here}}
  %s = shard.sharding @g split_axes = [[0]] {tessera.open, tessera.replicated = [7]} : !shard.sharding
  // expected-error @+1 {{tessera.replicated: }}
  %y = shard.shard %x to %s : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @priority(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{the sharding was made here}}
  %s = shard.sharding @g split_axes = [[0]] {tessera.priority = [1]} : !shard.sharding
  // expected-error @+1 {{tessera.priority is neither a number nor a list with one for each of the 2 dimensions}}
  %y = shard.shard %x to %s : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @negative(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{the sharding was made here}}
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // expected-error @+1 {{tessera.priority -1: expected 0 (first) or more}}
  %y = shard.shard %x to %s {tessera.priority = -1} : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @flow(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{the sharding was made here}}
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // expected-error @+1 {{tessera.flow is none of "none", "forward", "backward", "both"}}
  %y = shard.shard %x to %s {tessera.flow = "up"} : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @flow_place(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{'tessera.flow' says nothing here: expected it on a 'shard'}}
  %s = shard.sharding @g split_axes = [[0]] {tessera.flow = "none"} : !shard.sharding
  %y = shard.shard %x to %s : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @group(%x: tensor<8x8xf32>, %y: tensor<8x4xf32>) -> (tensor<8x8xf32>, tensor<8x4xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // expected-note @+1 {{the first annotation of the group}}
  %a = shard.shard %x to %s {tessera.group = 1} : tensor<8x8xf32>
  // expected-error @+1 {{tensors of group 1 that differ: expected one shape, one sharding, and the same dimensions open}}
  %b = shard.shard %y to %s {tessera.group = 1} : tensor<8x4xf32>
  return %a, %b : tensor<8x8xf32>, tensor<8x4xf32>
}
