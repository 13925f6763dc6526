// An op without a rule runs on the gathered operand, and its result is cut again. (Propagation would make
// linalg of this one, which has rules.)
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: %[[ALL:.*]] = shard.all_gather %{{.*}} on @g grid_axes = [0] gather_axis = 0 : tensor<3x8xf32> -> tensor<12x8xf32>
// CHECK: tosa.reverse %[[ALL]] {{.*}} : (tensor<12x8xf32>) -> tensor<12x8xf32>
// CHECK: {{shard.all_slice|tensor.extract_slice}} {{.*}} : tensor<12x8xf32> {{to|->}} tensor<3x8xf32>
// CHECK: arith.addf {{.*}} : tensor<3x8xf32>

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x8xf32>
  %y = tosa.reverse %x {axis = 0 : i32} : (tensor<12x8xf32>) -> tensor<12x8xf32>
  %z = arith.addf %y, %x : tensor<12x8xf32>
  return %z : tensor<12x8xf32>
}
