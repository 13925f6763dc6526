// What a module contains is found while it is read, in whichever order functions call each other and
// even where a question makes it be read again: each mistake is one error, and none hides another.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' --split-input-file \
// RUN:   --verify-diagnostics

// A caller without annotations of its own.
shard.grid @g(shape = 4)
func.func private @callee(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
func.func @caller(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{reference to @callee}}
  %f = func.constant @callee : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error@+1 {{'func.call_indirect' may read or write memory}}
  %y = call_indirect %f(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = call @callee(%y) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// The call that closes the cycle is the one that is named.
shard.grid @g(shape = 2x2)
func.func @first(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = call @second(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
func.func @second(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x8xf32>
  %r = call @third(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
func.func @third(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{recursive call of @first}}
  %r = call @first(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// Before a question, after it, and in another function.
shard.grid @g(shape = 4)
shard.grid @h(shape = 2)
func.func private @external(tensor<8xf32>) -> tensor<8xf32>
func.func @questions(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @h split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{annotation on grid @h}}
  %k = shard.shard %y to %t : tensor<8xf32>
  %q = shard.get_sharding %a : tensor<8xf32> -> !shard.sharding
  %b = shard.shard %y to %q : tensor<8xf32>
  // expected-error@+1 {{call of the external function @external}}
  %c = call @external(%b) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{call of the external function @external}}
  %c = call @external(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// In the body of a structured op.
#map = affine_map<(i) -> (i)>
shard.grid @g(shape = 4)
func.func private @callee(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  return %a : tensor<8xf32>
}
func.func @body(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    // expected-error@+1 {{reference to @callee}}
    %f = func.constant @callee : (tensor<8xf32>) -> tensor<8xf32>
    // expected-error@+1 {{'func.call_indirect' may read or write memory}}
    %t = func.call_indirect %f(%x) : (tensor<8xf32>) -> tensor<8xf32>
    %j = linalg.index 0 : index
    %u = tensor.extract %t[%j] : tensor<8xf32>
    %z = arith.addf %i, %u : f32
    linalg.yield %z : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
