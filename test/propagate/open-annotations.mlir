// An open annotation keeps the axes that it names, and propagation adds to them; a closed one stays
// as it is. The sharding may say so, or the annotation. Partitioning takes what was decided.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' -o %t
// RUN: FileCheck %s < %t
// RUN: %mlir_opt %t --pass-pipeline='builtin.module(canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --check-prefix=LOCAL

shard.grid @g(shape = 2x2)

// CHECK-LABEL: func.func @closed(
// CHECK-SAME: %arg0: tensor<8x16xf32> {tessera.layout = {factors = {{\[\[\[}}8, [0]]], {{\[\[}}16, []]]]
// LOCAL-LABEL: func.func @closed(
// LOCAL-SAME: %arg0: tensor<4x16xf32>
func.func @closed(%x_in: tensor<8x16xf32>, %y_in: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x16xf32>
  %t = math.tanh %x : tensor<8x16xf32>
  %y = shard.shard %y_in to %both : tensor<8x16xf32>
  %r = arith.addf %t, %y : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @open_sharding(
// CHECK-SAME: %arg0: tensor<8x16xf32> {tessera.layout = {factors = {{\[\[\[}}8, [0]]], {{\[\[}}16, [1]]]]
// LOCAL-LABEL: func.func @open_sharding(
// LOCAL-SAME: %arg0: tensor<4x8xf32>
func.func @open_sharding(%x_in: tensor<8x16xf32>, %y_in: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] {tessera.open} : !shard.sharding
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x16xf32>
  %t = math.tanh %x : tensor<8x16xf32>
  %y = shard.shard %y_in to %both : tensor<8x16xf32>
  %r = arith.addf %t, %y : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @open_annotation(
// CHECK-SAME: %arg0: tensor<8x16xf32> {tessera.layout = {factors = {{\[\[\[}}8, [0]]], {{\[\[}}16, [1]]]]
// LOCAL-LABEL: func.func @open_annotation(
// LOCAL-SAME: %arg0: tensor<4x8xf32>
func.func @open_annotation(%x_in: tensor<8x16xf32>, %y_in: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows {tessera.open} : tensor<8x16xf32>
  %t = math.tanh %x : tensor<8x16xf32>
  %y = shard.shard %y_in to %both : tensor<8x16xf32>
  %r = arith.addf %t, %y : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Of what it names, nothing is taken away.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME: %arg0: tensor<8x16xf32> {tessera.layout = {factors = {{\[\[\[}}8, [0]]], {{\[\[}}16, []]]]
// LOCAL-LABEL: func.func @kept(
// LOCAL-SAME: %arg0: tensor<4x16xf32>
func.func @kept(%x_in: tensor<8x16xf32>, %y_in: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] {tessera.open} : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x16xf32>
  %t = math.tanh %x : tensor<8x16xf32>
  %y = shard.shard %y_in to %whole : tensor<8x16xf32>
  %r = arith.addf %t, %y : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Between two ops as well: nothing moves.
// LOCAL-LABEL: func.func @between(
// LOCAL: math.tanh %arg0 : tensor<4x8xf32>
// LOCAL-NEXT: math.absf %{{.*}} : tensor<4x8xf32>
// LOCAL-NEXT: return
func.func @between(%x_in: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @g split_axes = [[0]] {tessera.open} : !shard.sharding
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<8x16xf32>
  %t = math.tanh %x : tensor<8x16xf32>
  %u = shard.shard %t to %rows : tensor<8x16xf32>
  %r = math.absf %u : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
