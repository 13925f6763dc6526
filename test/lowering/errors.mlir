// What cannot be lowered is said at the op.
// RUN: %mlir_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tessera-lower)'

shard.grid @g(shape = 4)
func.func @generic(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{a generic reduction has no runtime operation}}
  %r = shard.all_reduce %a on @g grid_axes = [0] reduction = generic : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @element(%a: tensor<4xi7>) -> tensor<f32> {
  // expected-error@+1 {{element type i7 has no runtime representation}}
  %r = shard.all_reduce %a on @g grid_axes = [0] : tensor<4xi7> -> tensor<4xi7>
  %t = arith.constant dense<0.0> : tensor<f32>
  "test.use"(%r) : (tensor<4xi7>) -> ()
  return %t : tensor<f32>
}

// -----

shard.grid @g(shape = 4)
func.func @flavour(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error@+1 {{tessera.reduction is "most" where the reduction is max; expected umax or maxnum with max, umin or minnum with min}}
  %r = shard.all_reduce %a on @g grid_axes = [0] reduction = max {tessera.reduction = "most"} : tensor<4xi32> -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

shard.grid @g(shape = 4)
func.func @flavour_of_another(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error@+1 {{tessera.reduction is "umin" where the reduction is max; expected umax or maxnum with max, umin or minnum with min}}
  %r = shard.all_reduce %a on @g grid_axes = [0] reduction = max {tessera.reduction = "umin"} : tensor<4xi32> -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

// expected-error@+1 {{an entry function cannot take or return vector<4xf32>}}
func.func @vector(%a: vector<4xf32>) -> vector<4xf32> {
  return %a : vector<4xf32>
}

// -----

// expected-error@+1 {{`tessera.layout` is not a layout: }}
func.func @layout(%a: tensor<4xf32> {tessera.layout = {grid = @none, global = tensor<4xf32>, factors = [[[4, []]]]}}) {
  return
}

// -----

// expected-error@+1 {{@for_ever never returns: no func.return can be reached from its start}}
func.func @for_ever(%a: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  cf.br ^again
^again:
  cf.br ^again
^nobody_comes:
  return %a : tensor<4xf32>
}

// -----

// expected-error@+1 {{@nowhere never returns}}
func.func private @nowhere(%a: tensor<4xf32>) -> tensor<4xf32> {
  ub.unreachable
}

// -----

func.func @poison(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{a poison tensor whose size is not known at compile time: expected a static shape, or a tensor.empty}}
  %b = ub.poison : tensor<?xf32>
  %c = linalg.map {arith.negf} ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>)
  return %c : tensor<?xf32>
}

// -----

// Moved, but not computed with.
func.func @small_floats(%a: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %c = arith.constant dense<1.5> : tensor<4xf4E2M1FN>
  %d = arith.constant dense<1.0> : tensor<4xf4E2M1FN>
  %s = arith.select %p, %d, %c : tensor<4xf4E2M1FN>
  // expected-error@+1 {{'arith.mulf' on f4E2M1FN, which can be moved but not computed with, nor converted: expected f16, bf16, f32 or f64}}
  %m = arith.mulf %s, %s : tensor<4xf4E2M1FN>
  // expected-error@+1 {{'arith.extf' on f4E2M1FN}}
  %e = arith.extf %m : tensor<4xf4E2M1FN> to tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

// Said once, at the op, of the body that a named op stands for.
func.func @small_product(%a: tensor<4x4xf8E8M0FNU>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{'arith.extf' on f8E8M0FNU}}
  %r = linalg.matmul ins(%a, %a : tensor<4x4xf8E8M0FNU>, tensor<4x4xf8E8M0FNU>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// expected-error@+1 {{@tessera_rt_gemm is a name of libtessera's own: expected any other}}
func.func private @tessera_rt_gemm(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// expected-error@+1 {{@tessera_program is a name of libtessera's own}}
func.func private @tessera_program(tensor<4xf32>) -> tensor<4xf32>

// -----

// expected-error@+1 {{`tessera.range` is not a range: expected [lo, hi], two numbers with lo less than hi}}
func.func @range(%a: tensor<4xf32> {tessera.range = [300, 200]}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// expected-error@+1 {{`tessera.range` is not a range}}
func.func @no_range(%a: tensor<4xf32> {tessera.range = "x"}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// expected-error@+1 {{`tessera.name` is not a name: expected a string}}
func.func @no_name(%a: tensor<4xf32> {tessera.name = 1}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// What computes the numbers that layouts leave open has to fit the function.
shard.grid @g(shape = 2)
// expected-error@+1 {{the layouts of @nobody leave halo sizes and shard offsets, 1 in all, to the launch, but `tessera.resolve` names no function with a body that computes them; run tessera-propagate anew}}
func.func @nobody(%x: tensor<?xf64> {tessera.layout = {grid = @g, global = tensor<8xf64>, factors = [[[8, [0]]]], halo = array<i64: -9223372036854775808, 1>}}, %k: i64) -> tensor<?xf64> {
  return %x : tensor<?xf64>
}

// -----

shard.grid @g(shape = 2)
// expected-error@+1 {{`tessera.resolve` names @other, which takes other arguments than @takes: expected the same, of their global types}}
func.func @takes(%x: tensor<?xf64> {tessera.layout = {grid = @g, global = tensor<8xf64>, factors = [[[8, [0]]]], halo = array<i64: -9223372036854775808, 1>}}, %k: i64) -> tensor<?xf64> attributes {tessera.resolve = @other} {
  return %x : tensor<?xf64>
}
func.func private @other(%x: tensor<?xf64>, %k: i64) -> i64 {
  return %k : i64
}

// -----

shard.grid @g(shape = 2)
// expected-error@+1 {{`tessera.resolve` names @two, which has other results than the layouts of @gives leave open: expected 1 of type i64}}
func.func @gives(%x: tensor<?xf64> {tessera.layout = {grid = @g, global = tensor<8xf64>, factors = [[[8, [0]]]], halo = array<i64: -9223372036854775808, 1>}}, %k: i64) -> tensor<?xf64> attributes {tessera.resolve = @two} {
  return %x : tensor<?xf64>
}
func.func private @two(%x: tensor<8xf64>, %k: i64) -> (i64, i64) {
  return %k, %k : i64, i64
}

// -----

shard.grid @g(shape = 2)
// expected-error@+1 {{`tessera.resolve` names @narrow, which has other results}}
func.func @gives(%x: tensor<?xf64> {tessera.layout = {grid = @g, global = tensor<8xf64>, factors = [[[8, [0]]]], halo = array<i64: -9223372036854775808, 1>}}, %k: i32) -> tensor<?xf64> attributes {tessera.resolve = @narrow} {
  return %x : tensor<?xf64>
}
func.func private @narrow(%x: tensor<8xf64>, %k: i32) -> i32 {
  return %k : i32
}

// -----

// Without annotations, but not the program of one device.
shard.grid @grid(shape = 2)
// expected-error@+1 {{this function was propagated and not partitioned: run tessera-partition first}}
func.func @propagated(%x: tensor<?xf32> {tessera.layout = {factors = [[[-9223372036854775808, [0]]]], global = tensor<?xf32>, grid = @grid}}) attributes {tessera.propagated} {
  return
}

// -----

shard.grid @g(shape = 2)
func.func @memory_and_tensor(%m: memref<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{`shard.all_reduce` of tensor<4xf32>: expected a memref}}
  %r = shard.all_reduce %m on @g grid_axes = [0] : memref<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 2)
func.func @gaps_of_run_time_size(%m: memref<?xf32>) -> memref<?xf32, strided<[2]>> {
  // expected-error@+1 {{gives memref<?xf32, strided<[2]>>, memory of its own that cannot be allocated so}}
  %r = shard.all_reduce %m on @g grid_axes = [0] : memref<?xf32> -> memref<?xf32, strided<[2]>>
  return %r : memref<?xf32, strided<[2]>>
}

// -----

func.func @more_than_can_be_counted() -> tensor<4611686018427387904x8xf32> {
  // expected-error@+1 {{memref<4611686018427387904x8xf32> has more bytes than can be counted: expected smaller extents}}
  %e = tensor.empty() : tensor<4611686018427387904x8xf32>
  return %e : tensor<4611686018427387904x8xf32>
}
