// Each argument and result carries its global type and layout, used or not.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK: func.func @main(
// CHECK-SAME: %arg0: tensor<8x12xf32> {tessera.layout = {factors = {{\[\[\[}}8, [0]]], {{\[\[}}12, []]]], global = tensor<8x12xf32>, grid = @g}}
// CHECK-SAME: %arg1: tensor<8x12xf32> {tessera.layout = {factors = {{\[\[\[}}8, []]], {{\[\[}}12, []]]], global = tensor<8x12xf32>, grid = @g}}
// CHECK-SAME: -> (tensor<8x12xf32> {tessera.layout = {factors = {{\[\[\[}}8, [0]]], {{\[\[}}12, []]]], global = tensor<8x12xf32>, grid = @g}})

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<8x12xf32>, %y_in: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x12xf32>
  return %x : tensor<8x12xf32>
}
