// A misspelt attribute, and one on an op that nobody asks for it, is an error and not a wish that nobody hears.

// RUN: %mlir_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tessera-propagate)'

shard.grid @g(shape = 4)

func.func @on_an_op(%a: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  // expected-error @+1 {{'tessera.prtial' is no attribute of an op: expected one of 'tessera.factors', 'tessera.flow', 'tessera.group', 'tessera.open', 'tessera.partial', 'tessera.priority', 'tessera.pure', 'tessera.reduction', 'tessera.refined', 'tessera.replicated'}}
  %b = shard.shard %a to %s {tessera.prtial = {axes = [0], reduction = "sum"}} : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

// expected-error @+1 {{'tessera.partial' is no attribute of an argument: expected one of 'tessera.layout', 'tessera.range', 'tessera.donated'}}
func.func @on_an_argument(%a: tensor<8xf32> {tessera.partial}) {
  return
}

// -----

// expected-error @+1 {{'tessera.rnage' is no attribute of a result: expected one of}}
func.func @on_a_result() -> (tensor<8xf32> {tessera.rnage}) {
  %a = arith.constant dense<1.0> : tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

shard.grid @g(shape = 4)

func.func @on_another_op(%a: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[]] : !shard.sharding
  // expected-error @+1 {{'tessera.partial' says nothing here: expected it on a 'sharding'}}
  %b = shard.shard %a to %s {tessera.partial = [[0, #shard<partial sum>]]} : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

func.func @beside_annotations(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'tessera.open' says nothing here: expected it on a 'sharding' or a 'shard'}}
  %b = math.tanh %a {tessera.open} : tensor<8xf32>
  return %b : tensor<8xf32>
}
