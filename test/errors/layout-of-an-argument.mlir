// A tessera.layout that does not parse, or does not fit its grid, argument or annotations, is an
// error, not another layout.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
// expected-error@+1 {{the `tessera.layout` of argument 1 of @f is not a layout of it: axis 3 is outside grid @g, which has 1 axes}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [3]]]], global = tensor<16xf32>, grid = @g}}) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  %r = arith.addf %a, %y : tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{it is not a dictionary with `grid`, `global` and `factors`}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = 7}) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{`grid` is not a grid of the module}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @h}}) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
shard.grid @h(shape = 2x2)
// expected-error@+1 {{it is on grid @h, the annotations are on grid @g}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @h}}) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{`global` is not the type of the argument}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[8, [0]]]], global = tensor<8xf32>, grid = @g}}) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{`halo` does not have two sizes for each dimension}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @g, halo = array<i64: 1>}}) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{`offsets` does not have an offset more than shards for each dimension}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @g, offsets = [array<i64: 0, 16>]}}) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{axis 0 of grid @g is used twice}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @g, partial = [[0, #shard<partial sum>]]}}) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}
