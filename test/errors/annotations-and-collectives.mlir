// A function with annotations and an explicit collective is neither kind of program.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{collective}}
  %b = shard.all_reduce %a on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<8xf32> -> tensor<32xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.all_slice %a on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<2xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.all_to_all %a on @g grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<8xf32> -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.broadcast %a on @g grid_axes = [0] root = [0] : (tensor<8xf32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.gather %a on @g grid_axes = [0] gather_axis = 0 root = [0] : (tensor<8xf32>) -> tensor<32xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.recv %a on @g grid_axes = [0] source = [1] : (tensor<8xf32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.reduce %a on @g grid_axes = [0] root = [0] : (tensor<8xf32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.reduce_scatter %a on @g grid_axes = [0] scatter_axis = 0 : tensor<8xf32> -> tensor<2xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.scatter %a on @g grid_axes = [0] scatter_axis = 0 root = [0] : (tensor<8xf32>) -> tensor<2xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.send %a on @g grid_axes = [0] destination = [1] : (tensor<8xf32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.shift %a on @g grid_axes = [0] shift_axis = 0 offset = 1 rotate : tensor<8xf32> -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
  %b = shard.update_halo %a on @g split_axes = [[0]] halo_sizes = [1, 1] : tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

// Inside an op that runs whole.
shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.parallel (%i) = (%zero) to (%n) step (%one) init (%a) -> tensor<8xf32> {
    // expected-error@+1 {{explicit collective in a function that has sharding annotations}}
    %b = shard.all_reduce %a on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
    scf.reduce(%b : tensor<8xf32>) {
    ^bb0(%l: tensor<8xf32>, %m: tensor<8xf32>):
      scf.reduce.return %l : tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----

// Two calls away: the program of one device cannot be called for whole tensors.
shard.grid @g(shape = 4)
func.func private @inner(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = shard.all_reduce %a on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
  return %b : tensor<8xf32>
}
func.func private @outer(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = func.call @inner(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{call of @outer, which has explicit collectives, from a function that has sharding annotations}}
  %b = func.call @outer(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}
