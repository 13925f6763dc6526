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

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{a halo size of -9223372036854775807 is negative}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @g, halo = array<i64: -9223372036854775807, 0>}}) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

// A number that only the launch knows needs a function that computes it.
shard.grid @g(shape = 4)
// expected-error@+1 {{argument 1 of @f has halo sizes or shard offsets that only the launch knows, but no annotation any more, and `tessera.resolve` does not say what computes them: it names no function of one block; annotate the argument anew, or remove its `tessera.layout`}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @g, halo = array<i64: -9223372036854775808, 0>}}) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{: it names no function of one block;}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @g, halo = array<i64: -9223372036854775808, 0>}}) -> tensor<16xf32> attributes {tessera.resolve = @g} {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{: what it names does not take the same arguments;}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @g, halo = array<i64: -9223372036854775808, 0>}}) -> tensor<16xf32> attributes {tessera.resolve = @r} {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}
func.func private @r(%n: i64) -> i64 {
  return %n : i64
}

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{: what it names gives something else than the 1 numbers, as i64, that `tessera.layout` leaves open;}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @g, halo = array<i64: -9223372036854775808, 0>}}, %n: i64) -> tensor<16xf32> attributes {tessera.resolve = @r} {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}
func.func private @r(%x: tensor<16xf32>, %y: tensor<16xf32>, %n: i64) -> (i64, i64) {
  return %n, %n : i64, i64
}

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{: what it names computes them from more than scalars and shapes;}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @g, halo = array<i64: -9223372036854775808, 0>}}) -> tensor<16xf32> attributes {tessera.resolve = @r} {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}
func.func private @r(%x: tensor<16xf32>, %y: tensor<16xf32>) -> i64 {
  %zero = arith.constant 0 : index
  %e = tensor.extract %x[%zero] : tensor<16xf32>
  %n = arith.fptosi %e : f32 to i64
  return %n : i64
}

// -----

shard.grid @g(shape = 4)
// expected-error@+1 {{a shard offset of -9223372036854775800 is negative}}
func.func @f(%x: tensor<16xf32>, %y: tensor<16xf32> {tessera.layout = {factors = [[[16, [0]]]], global = tensor<16xf32>, grid = @g, offsets = [array<i64: 0, -9223372036854775800, 8, 8, 16>]}}) -> tensor<16xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<16xf32>
  return %a : tensor<16xf32>
}
