// Who calls an annotated function through a value would pass whole tensors for pieces.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false})' --split-input-file --verify-diagnostics
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition)' --split-input-file --verify-diagnostics

shard.grid @g(shape = 4)
func.func private @annotated(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  return %a : tensor<8xf32>
}
func.func private @caller(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = func.call @annotated(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{reference to @caller, which is annotated or calls what is: its arguments and results become pieces; call it by name}}
  %c = func.constant @caller : (tensor<8xf32>) -> tensor<8xf32>
  %r = func.call_indirect %c(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Of a plain function nothing changes; but what an indirect call does is not known.
shard.grid @g(shape = 4)
func.func private @plain(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  %c = func.constant @plain : (tensor<8xf32>) -> tensor<8xf32>
  // expected-error@+1 {{'func.call_indirect' may read or write memory}}
  %r = func.call_indirect %c(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// In a function with annotations too, beside them or inside of other ops, wherever the other stands.
shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>, %p: i1) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{reference to @annotated, which is annotated or calls what is}}
  %c = func.constant @annotated : (tensor<8xf32>) -> tensor<8xf32>
  %r = scf.if %p -> (tensor<8xf32>) {
    // expected-error@+1 {{reference to @annotated, which is annotated or calls what is}}
    %d = func.constant @annotated : (tensor<8xf32>) -> tensor<8xf32>
    // expected-error@+1 {{'func.call_indirect' may read or write memory}}
    %e = func.call_indirect %d(%a) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %e : tensor<8xf32>
  } else {
    // expected-error@+1 {{'func.call_indirect' may read or write memory}}
    %e = func.call_indirect %c(%a) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %e : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func private @annotated(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  return %a : tensor<8xf32>
}
