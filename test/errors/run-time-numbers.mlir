// Halo sizes and shard offsets of which only the launch knows some: what cannot be.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

// What is known of them must fit.
shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>, %n: i64) -> tensor<8x8xf32> {
  %five = arith.constant 5 : i64
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %five, %n, 3, 8] : !shard.sharding
  // expected-error-re@+1 {{offsets{{.*}}decrease from 5 to 3}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>, %n: i64) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %n, 9, 9, 9] : !shard.sharding
  // expected-error-re@+1 {{offsets{{.*}}end at 9, expected its extent 8}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

// So must a constant.
shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %n = arith.constant -1 : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%n, 0] : !shard.sharding
  // expected-error-re@+1 {{halo{{.*}}negative}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

// Tools cut arguments before the call, so they have to be able to compute the numbers.
shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>, %sizes: tensor<3xi64>) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : index
  %n = tensor.extract %sizes[%zero] : tensor<3xi64>
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%n, 0] : !shard.sharding
  // expected-error@+1 {{depends on more than its scalar arguments}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  %t = math.tanh %a : tensor<8x8xf32>
  return %t : tensor<8x8xf32>
}

// -----

// The argument's data is looked at before its layout is known.
shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>, %n: i64) -> tensor<8x8xf32> {
  %t = math.tanh %x : tensor<8x8xf32>
  %m = arith.addi %n, %n : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%m, 0] : !shard.sharding
  // expected-error@+1 {{computed after its first use}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  %u = arith.addf %a, %t : tensor<8x8xf32>
  return %u : tensor<8x8xf32>
}

// -----

// So it is inside an op that runs whole.
shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: i64, %c: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.parallel (%i) = (%zero) to (%c) step (%one) init (%y) -> tensor<8xf32> {
    %b = arith.mulf %x, %x : tensor<8xf32>
    scf.reduce(%b : tensor<8xf32>) {
    ^bb0(%l: tensor<8xf32>, %m: tensor<8xf32>):
      scf.reduce.return %l : tensor<8xf32>
    }
  }
  %m = arith.addi %n, %n : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%m, 0] : !shard.sharding
  // expected-error@+1 {{computed after its first use}}
  %a = shard.shard %x to %s : tensor<8xf32>
  return %a, %r : tensor<8xf32>, tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>, %n: i64) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %x[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %m = arith.addi %n, %n : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%m, 0] : !shard.sharding
  // expected-error@+1 {{computed after its first use}}
  %a = shard.shard %x to %s : tensor<8xf32>
  return %a, %r : tensor<8xf32>, tensor<8xf32>
}

// -----

// A caller has to know how its callee's arguments are laid out.
shard.grid @g(shape = 4)
func.func private @callee(%x: tensor<8x8xf32>, %n: i64) -> tensor<8x8xf32> {
  %m = arith.addi %n, %n : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%m, 0] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  %t = math.tanh %a : tensor<8x8xf32>
  return %t : tensor<8x8xf32>
}
func.func @f(%x: tensor<8x8xf32>, %n: i64) -> tensor<8x8xf32> {
  // expected-error@+1 {{halo sizes or shard offsets that it computes itself}}
  %y = func.call @callee(%x, %n) : (tensor<8x8xf32>, i64) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

// On two grids there is no common language for them.
shard.grid @g(shape = 2x3)
shard.grid @h(shape = 3x2)
func.func private @callee(%x: tensor<8x8xf32>, %n: i64) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%n, 0] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
func.func @f(%x_in: tensor<8x8xf32>, %n: i64) -> tensor<8x8xf32> {
  %s = shard.sharding @h split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x8xf32>
  // expected-error@+1 {{expected one grid}}
  %y = func.call @callee(%x, %n) : (tensor<8x8xf32>, i64) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

// Of several blocks, only the first one's values are known in all others.
shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>, %n: i64, %c: i1) -> tensor<8x8xf32> {
  cf.cond_br %c, ^left, ^right
^left:
  %m = arith.addi %n, %n : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%m, 0] : !shard.sharding
  %t = math.tanh %x : tensor<8x8xf32>
  // expected-error@+1 {{function of several blocks}}
  %a = shard.shard %t to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
^right:
  return %x : tensor<8x8xf32>
}

// -----

// Static ones make sense, or are refused where they are said; the first of these stands for "?".
shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [-9223372036854775808, 0] : !shard.sharding
  // expected-error@+1 {{`static_halo_sizes` leaves 1 of its numbers open (?), but has 0 operands for them: expected as many}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [-9223372036854775807, 0] : !shard.sharding
  // expected-error@+1 {{a halo size of -9223372036854775807 is negative, expected 0 to 9007199254740992}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [0, 9223372036854775807] : !shard.sharding
  // expected-error@+1 {{a halo size of 9223372036854775807 is too large}}
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}

// -----

// Whatever the extent is, offsets begin at 0 and do not decrease.
shard.grid @g(shape = 4)
func.func @f(%x: tensor<?x8xf32>, %n: i64) -> tensor<?x8xf32> {
  %seven = arith.constant 7 : i64
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %seven, %n, 5, 8] : !shard.sharding
  // expected-error@+1 {{the shard offsets of dimension 0 decrease from 7 to 5}}
  %a = shard.shard %x to %s : tensor<?x8xf32>
  return %a : tensor<?x8xf32>
}
