// Each mistake in a layout of tessera.exchange, with its message.
// RUN: %mlir_opt %s --split-input-file --verify-diagnostics

shard.grid @g(shape = 2x2)
func.func @missing_grid(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' needs 'grid', the name of a shard.grid}}
  %0 = tessera.exchange %x
    from {global = tensor<16xf32>, factors = [[[16, [0]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @unknown_member(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' has the unknown member 'axes'}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]], axes = [0]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @partial(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' is partial; reduce before the exchange}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]], partial = [[1, #shard<partial sum>]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @missing_global(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' needs 'global', the type of the whole tensor}}
  %0 = tessera.exchange %x
    from {grid = @g, factors = [[[16, [0]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @too_few_dimensions(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' needs 'factors', a list for each dimension of 'tensor<16xf32>'}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = []}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @bad_factor(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' has a factor that is not [size, [axes]]: [16, 0]}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, 0]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @no_factor(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' needs a list of factors for dimension 0}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @product(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' has factors that multiply to 8 on dimension 0 of 'tensor<16xf32>'}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[4, [0]], [2, []]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @axis_twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' uses grid axis 0 twice}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[4, [0]], [4, [0]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @negative_axis(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' has the negative grid axis -1}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [-1]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @axis_outside_grid(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' uses grid axis 2, but @g has 2}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [2]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @halo(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' needs two sizes for each dimension in 'halo'}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]], halo = array<i64: 1>}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @negative_halo(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' has a negative halo size}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]], halo = array<i64: 1, -1>}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @offset_lists(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' needs an array<i64> for each dimension in 'offsets'}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]], offsets = []}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @offsets(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' needs offsets that rise from 0 to the end in 2 shards on dimension 0}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]], offsets = [array<i64: 0, 8, 15>]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @local_size(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' gives each device 4 along dimension 0, not 8}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0, 1]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @halo_size(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' gives each device 11 along dimension 0, not 8}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]], halo = array<i64: 1, 2>}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @rank(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' is for 'tensor<16x1xf32>', whose pieces cannot be 'tensor<8xf32>'}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16x1xf32>, factors = [[[16, [0]]], [[1, []]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @element_type(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' is for 'tensor<16xf64>', whose pieces cannot be 'tensor<8xf32>'}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf64>, factors = [[[16, [0]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @other_tensor(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{has layouts of different tensors or grids: 'tensor<32xf32>' on @g and 'tensor<16xf32>' on @g}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<32xf32>, factors = [[[32, [0, 1]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @other_grid(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{has layouts of different tensors or grids: 'tensor<16xf32>' on @h and 'tensor<16xf32>' on @g}}
  %0 = tessera.exchange %x
    from {grid = @h, global = tensor<16xf32>, factors = [[[16, [0]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @no_grid(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{'from' refers to @g, which is no shard.grid}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]]}
    : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @global_sizes(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-error@+1 {{needs one operand in 'global_sizes' for each '?' of the global type 'tensor<?xf32>': 1, not 0}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<?xf32>, factors = [[[-1, [0]]]]}
    to {grid = @g, global = tensor<?xf32>, factors = [[[-1, [1]]]]} sizes(%n)
    : tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @numbers(%x: tensor<8xf32>, %n: index) -> tensor<?xf32> {
  // expected-error@+1 {{needs one operand in 'numbers' for each halo size and offset of 'from' and 'to' that is known only at run time: 2, not 1}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]],
        halo = array<i64: -9223372036854775808, -9223372036854775808>} sizes(%n) numbers(%n)
    : tensor<8xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @extent_of_unknown_halo(%x: tensor<8xf32>, %n: index) -> tensor<9xf32> {
  // expected-error@+1 {{'to' gives a device 9 along dimension 0, but its halo is known only at run time; make the extent '?'}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1]]]],
        halo = array<i64: 0, -9223372036854775808>} numbers(%n)
    : tensor<8xf32> -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

shard.grid @g(shape = 2x2)
func.func @known_offsets_decrease(%x: tensor<8xf32>, %n: index) -> tensor<?xf32> {
  // expected-error@+1 {{'to' needs offsets that rise within the dimension in 4 shards on dimension 0}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [1, 0]]]],
        offsets = [array<i64: 0, 7, -9223372036854775808, 3, 16>]} sizes(%n) numbers(%n)
    : tensor<8xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @source_is_a_part(%x: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'from' needs offsets that rise from 0 to the end in 4 shards on dimension 0}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]],
          offsets = [array<i64: 0, 7, 8, 9, 15>]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]]} : tensor<?xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @target_beyond_the_end(%x: tensor<4xf32>, %n: index) -> tensor<?xf32> {
  // expected-error@+1 {{'to' needs offsets that rise within the dimension in 4 shards on dimension 0}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]],
        offsets = [array<i64: 3, 7, 8, 9, 17>]} sizes(%n) : tensor<4xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @target_is_a_part(%x: tensor<4xf32>, %n: index) -> tensor<?xf32> {
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]]}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]],
        offsets = [array<i64: 3, 7, 8, 9, 11>]} sizes(%n) : tensor<4xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

shard.grid @g(shape = 2)
func.func @part_of_source(%x: tensor<?xf32>, %n: index) -> tensor<8xf32> {
  // expected-error@+1 {{'from' has the member 'part', which only 'to' may have, without a value}}
  %0 = tessera.exchange %x
    from {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]], offsets = [array<i64: 0, -9223372036854775808, 16>], part}
    to {grid = @g, global = tensor<16xf32>, factors = [[[16, [0]]]]}
    numbers(%n) : tensor<?xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
