// An annotated function that calls itself, two that call each other, and one on a cycle of calls
// that another on it closes twice.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{recursi}}
  %c = func.call @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @odd(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %c = func.call @even(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
func.func @even(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{recursi}}
  %c = func.call @odd(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>, %n: i1) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %r = func.call @plain(%a, %n) : (tensor<8xf32>, i1) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func private @plain(%x: tensor<8xf32>, %n: i1) -> tensor<8xf32> {
  %false = arith.constant false
  %r = scf.if %n -> tensor<8xf32> {
    // expected-error@+1 {{recursive call of @f, which is annotated or calls what is}}
    %p = func.call @f(%x, %false) : (tensor<8xf32>, i1) -> tensor<8xf32>
    %q = func.call @plain(%p, %false) : (tensor<8xf32>, i1) -> tensor<8xf32>
    scf.yield %q : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
