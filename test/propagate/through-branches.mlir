// What branches, loops with a condition and blocks pass on has one layout wherever it goes; what the
// first region of an scf.while gets and what it passes on are two values.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' | FileCheck %s

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @branch(
// CHECK-SAME: tessera.layout = {factors = {{\[\[\[8, \[0\]\]\]}}
// CHECK-SAME: -> (tensor<8xf32> {tessera.layout = {factors = {{\[\[\[8, \[0\]\]\]}}
func.func @branch(%x_in: tensor<8xf32>, %p: i1) -> tensor<8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8xf32>
  %r = scf.if %p -> tensor<8xf32> {
    %t = math.tanh %x : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Backward, too: from the result to what one of the regions makes.
// CHECK-LABEL: func.func @switch(
// CHECK-SAME: %{{.*}}: tensor<8xf32> {tessera.layout = {factors = {{\[\[\[8, \[0\]\]\]}}
func.func @switch(%x: tensor<8xf32>, %k: index) -> tensor<8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %r = scf.index_switch %k -> tensor<8xf32>
  case 3 {
    %t = scf.execute_region -> tensor<8xf32> {
      %u = math.tanh %x : tensor<8xf32>
      scf.yield %u : tensor<8xf32>
    }
    scf.yield %t : tensor<8xf32>
  }
  default {
    scf.yield %x : tensor<8xf32>
  }
  %s = shard.shard %r to %rows : tensor<8xf32>
  return %s : tensor<8xf32>
}

// CHECK-LABEL: func.func @loop(
// CHECK-SAME: -> (tensor<12xf32> {tessera.layout = {factors = {{\[\[\[12, \[\]\]\]}}
// CHECK-SAME: tensor<8x12xf32> {tessera.layout = {factors = {{\[\[\[8, \[\]\]\], \[\[12, \[0\]\]\]}}
func.func @loop(%x_in: tensor<8x12xf32>, %v: tensor<12xf32>, %p: i1)
    -> (tensor<12xf32>, tensor<8x12xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<8x12xf32>
  %w = shard.shard %v to %whole : tensor<12xf32>
  %r:2 = scf.while (%t = %x) : (tensor<8x12xf32>) -> (tensor<12xf32>, tensor<8x12xf32>) {
    scf.condition(%p) %w, %t : tensor<12xf32>, tensor<8x12xf32>
  } do {
  ^bb0(%n: tensor<12xf32>, %t: tensor<8x12xf32>):
    %u = arith.addf %t, %t : tensor<8x12xf32>
    scf.yield %u : tensor<8x12xf32>
  }
  return %r#0, %r#1 : tensor<12xf32>, tensor<8x12xf32>
}

// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: -> (tensor<8xf32> {tessera.layout = {factors = {{\[\[\[8, \[0\]\]\]}}
func.func @blocks(%x_in: tensor<8xf32>, %y: tensor<8xf32>, %p: i1) -> tensor<8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8xf32>
  cf.cond_br %p, ^next(%x : tensor<8xf32>), ^next(%y : tensor<8xf32>)
^next(%u: tensor<8xf32>):
  %t = math.tanh %u : tensor<8xf32>
  return %t : tensor<8xf32>
}
