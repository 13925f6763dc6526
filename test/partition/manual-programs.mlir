// A program of one device inside an annotated function: its function is called with the pieces that it
// says it takes, and gives the pieces that it says; what it is given elsewhere is moved there.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s --check-prefix=LAYOUT

shard.grid @g(shape = 2x2)

func.func private @body(
    %x: tensor<8x32xf32> {tessera.layout = {grid = @g, global = tensor<16x64xf32>, factors = [[[16, [0]]], [[64, [1]]]]}},
    %w: tensor<64x8xf32>, %n: f32)
    -> (tensor<8x32xf32> {tessera.layout = {grid = @g, global = tensor<16x64xf32>, factors = [[[16, [0]]], [[64, [1]]]]}}, f32) {
  %y = shard.all_reduce %x on @g grid_axes = [1] : tensor<8x32xf32> -> tensor<8x32xf32>
  return %y, %n : tensor<8x32xf32>, f32
}

// CHECK-LABEL: func.func @main
// CHECK: shard.all_gather {{.*}} -> tensor<64x8xf32>
// CHECK: %[[R:.*]]:2 = call @body(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<8x32xf32>, tensor<64x8xf32>, f32) -> (tensor<8x32xf32>, f32)
// CHECK: math.tanh %[[R]]#0 : tensor<8x32xf32>
// The first argument has no annotation: it gets the layout that the body takes.
// LAYOUT-LABEL: func.func @main
// LAYOUT-SAME: %{{.*}}: tensor<16x64xf32> {tessera.layout = {factors = {{\[\[\[}}16, [0]]], {{\[\[}}64, [1]]]]
// LAYOUT: tessera.manual @body(
func.func @main(%x: tensor<16x64xf32>, %w_in: tensor<64x8xf32>, %n: f32) -> (tensor<16x64xf32>, f32) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %w = shard.shard %w_in to %s : tensor<64x8xf32>
  %y, %m = tessera.manual @body(%x, %w, %n) : (tensor<16x64xf32>, tensor<64x8xf32>, f32) -> (tensor<16x64xf32>, f32)
  %z = math.tanh %y : tensor<16x64xf32>
  return %z, %m : tensor<16x64xf32>, f32
}
