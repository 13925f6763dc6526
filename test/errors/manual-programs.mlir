// Mistakes in programs of one device inside of annotated functions.
// RUN: %mlir_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tessera-propagate)'

shard.grid @g(shape = 4)
func.func private @body(%x: tensor<3xf32> {tessera.layout = {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]]}}) -> tensor<16xf32>
func.func @piece(%x_in: tensor<16xf32>) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16xf32>
  // expected-error@+1 {{argument 0 of the function is not the piece of a device: expected tensor<4xf32>, the type under its `tessera.layout`}}
  %y = tessera.manual @body(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
func.func private @body(%x: tensor<4xf32> {tessera.layout = {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]]}}) -> tensor<16xf32>
func.func @global(%x_in: tensor<4xf32>) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4xf32>
  // expected-error@+1 {{the `tessera.layout` of argument 0 of the function is not a layout of it: `global` is not the type of the tensor here}}
  %y = tessera.manual @body(%x) : (tensor<4xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

func.func private @body(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @count(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{passes 2 values to @body and takes 1: expected 1 and 1, as the function has}}
  %y = tessera.manual @body(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @nobody(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{names @body: expected a function of the module}}
  %y = tessera.manual @body(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// What passes as it is has one type on both sides.
func.func private @body(%x: tensor<4xf32>, %n: f32) -> tensor<4xf32>
func.func @scalar(%x: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  // expected-error@+1 {{argument 1 of @body is a 'f32', but a 'i32' here: expected one type, or ranked tensors}}
  %y = tessera.manual @body(%x, %n) : (tensor<4xf32>, i32) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Nothing says which grid it runs on.
func.func private @body(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @alone(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'tessera.manual' in @alone, which has no annotations: expected a `shard.shard` of one of the function's tensors, which says on which grid it runs}}
  %y = tessera.manual @body(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

shard.grid @g(shape = 4)
func.func private @body(%x: tensor<16xf32>) -> tensor<16xf32>
func.func private @plain(%x: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error@+1 {{'tessera.manual' in @plain, which has no annotations}}
  %y = tessera.manual @body(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func @called(%x_in: tensor<16xf32>) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16xf32>
  %y = call @plain(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}
