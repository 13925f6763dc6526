// Questions in the body of a structured op are answered, what stands in blocks that nothing reaches
// does not count, and a declaration is not partitioned whatever its attributes say.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   | FileCheck %s

shard.grid @g(shape = 4)
// CHECK: func.func private @declared(tensor<8x8xf32> {
func.func private @declared(%x: tensor<8x8xf32> {tessera.layout = {factors = [[[8, [0]]], [[8, []]]],
    global = tensor<8x8xf32>, grid = @g}}) -> tensor<8x8xf32> attributes {tessera.propagated}

// CHECK-LABEL: func.func @body(
// CHECK-NOT: all_gather
// CHECK: ins(%{{.*}} : tensor<2xf32>)
#map = affine_map<(i) -> (i)>
func.func @body(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = shard.get_sharding %a : tensor<8xf32> -> !shard.sharding
    %z = arith.addf %i, %i : f32
    linalg.yield %z : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @unreached(
// CHECK: call @callee(%{{.*}}) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NOT: call
func.func @unreached(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = call @callee(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
^bb1:
  %f = func.constant @callee : (tensor<8xf32>) -> tensor<8xf32>
  %q = call @callee(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %q : tensor<8xf32>
}

// A tensor is brought to what its annotation says once, before the loop that uses it so.
// CHECK-LABEL: func.func @loop(
// CHECK: tessera.exchange
// CHECK: scf.for
// CHECK-NOT: tessera.exchange
// CHECK: scf.yield
func.func @loop(%x: tensor<16x8xf32>, %n: i64, %m: index) -> tensor<16x8xf32> {
  %even = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %own = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %n, 8, 12, 16]
      : !shard.sharding
  %xa = shard.shard %x to %own : tensor<16x8xf32>
  %t = math.tanh %xa : tensor<16x8xf32>
  %ta = shard.shard %t to %even : tensor<16x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<16x8xf32>
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%acc = %z) -> tensor<16x8xf32> {
    %all = shard.shard %acc to %even : tensor<16x8xf32>
    %e = math.exp %ta : tensor<16x8xf32>
    %a = arith.addf %all, %e : tensor<16x8xf32>
    scf.yield %a : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
}

func.func private @callee(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  return %a : tensor<8xf32>
}
