// What tessera.partial cannot say: other kinds, other forms, axes that are not free.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 2x2)
func.func @generic_kind(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial generic>]]} : !shard.sharding
  // expected-error@+1 {{no reduction that makes a value whole}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @no_list(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] {tessera.partial = [1]} : !shard.sharding
  // expected-error@+1 {{entry of tessera.partial is not of the form}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @no_kind(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, "sum"]]} : !shard.sharding
  // expected-error@+1 {{entry of tessera.partial is not of the form}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @axis_outside(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] {tessera.partial = [[2, #shard<partial sum>]]} : !shard.sharding
  // expected-error@+1 {{axis 2 is outside grid @g}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @axis_negative(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] {tessera.partial = [[-1, #shard<partial sum>]]} : !shard.sharding
  // expected-error@+1 {{axis -1 is outside grid @g}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @axis_that_splits(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] {tessera.partial = [[0, #shard<partial sum>]]} : !shard.sharding
  // expected-error@+1 {{axis 0 of grid @g is used twice}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @axis_twice(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial sum>], [1, #shard<partial max>]]} : !shard.sharding
  // expected-error@+1 {{axis 1 of grid @g is used twice}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @axis_far_outside(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] {tessera.partial = [[99999999999, #shard<partial sum>]]} : !shard.sharding
  // expected-error@+1 {{axis 99999999999 of tessera.partial is outside of any grid}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
