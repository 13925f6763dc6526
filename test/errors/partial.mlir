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

// -----

shard.grid @g(shape = 2x2)
func.func @kinds_in_no_order(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial sum>], [1, #shard<partial product>]]} : !shard.sharding
  // expected-error@+1 {{partial by sum over axis 0 and by product over axis 1, which means different values in different orders: expected one kind for all axes, or sum and average; make the value whole over one of the axes}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 2x1x?)
func.func @average_and_max(%x: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %w = shard.sharding @g split_axes = [[]] : !shard.sharding
  %s = shard.sharding @g split_axes = [[]] {tessera.partial = [[2, #shard<partial max>], [0, #shard<partial average>]]} : !shard.sharding
  %a = shard.shard %x to %w : tensor<8x8xi32>
  // expected-error@+1 {{partial by max over axis 2 and by average over axis 0}}
  %b = shard.shard %a to %s annotate_for_users : tensor<8x8xi32>
  return %b : tensor<8x8xi32>
}

// -----

// Maxima of signed and of unsigned numbers are two kinds.
shard.grid @g(shape = 2x2)
func.func @flavours(%x: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %s = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial max>], [1, #shard<partial max>, "umax"]]} : !shard.sharding
  // expected-error@+1 {{partial by max over axis 0 and by umax over axis 1}}
  %a = shard.shard %x to %s : tensor<8x8xi32>
  return %a : tensor<8x8xi32>
}

// -----

shard.grid @g(shape = 2x2)
// expected-error@+1 {{partial by bitwise_xor over axis 0 and by max over axis 1}}
func.func @layout(%x: tensor<8xi32>, %y: tensor<8xi32> {tessera.layout = {grid = @g, global = tensor<8xi32>, factors = [[[8, []]]], partial = [[0, #shard<partial bitwise_xor>], [1, #shard<partial max>]]}}) -> tensor<8xi32> {
  %w = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %w : tensor<8xi32>
  return %a : tensor<8xi32>
}
