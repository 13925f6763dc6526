// A reduction that is only cut is a reduce-scatter; reduced pieces that are only joined are a
// reduction. Axes that are not cut are reduced afterwards, of the smaller piece.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize{reductions=false})' | FileCheck %s --check-prefix=OFF
shard.grid @g(shape = 2x2)

// CHECK-LABEL: func.func @cut
// CHECK-NEXT: shard.reduce_scatter %arg0 on @g grid_axes = [0] reduction =  max scatter_axis = 0 {tessera.reduction = "umax"} : tensor<8xi32> -> tensor<4xi32>
// CHECK-NEXT: return
// OFF-LABEL: func.func @cut
// OFF: shard.all_slice
func.func @cut(%x: tensor<8xi32>) -> tensor<4xi32> {
  %a = shard.all_reduce %x on @g grid_axes = [0] reduction = max {tessera.reduction = "umax"} : tensor<8xi32> -> tensor<8xi32>
  %b = shard.all_slice %a on @g grid_axes = [0] slice_axis = 0 : tensor<8xi32> -> tensor<4xi32>
  return %b : tensor<4xi32>
}

// CHECK-LABEL: func.func @cut_in_part
// CHECK-NEXT: %[[P:.*]] = shard.reduce_scatter %arg0 on @g grid_axes = [1] scatter_axis = 0 : tensor<8xf32> -> tensor<4xf32>
// CHECK-NEXT: shard.all_reduce %[[P]] on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT: return
func.func @cut_in_part(%x: tensor<8xf32>) -> tensor<4xf32> {
  %a = shard.all_reduce %x on @g grid_axes = [0, 1] : tensor<8xf32> -> tensor<8xf32>
  %b = shard.all_slice %a on @g grid_axes = [1] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// CHECK-LABEL: func.func @also_whole
// CHECK: shard.all_reduce
// CHECK: shard.all_slice
func.func @also_whole(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %a = shard.all_reduce %x on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
  %b = shard.all_slice %a on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  return %a, %b : tensor<8xf32>, tensor<4xf32>
}

// Cutting along another axis leaves each device with another sum.
// CHECK-LABEL: func.func @another_axis
// CHECK: shard.all_reduce
// CHECK: shard.all_slice
func.func @another_axis(%x: tensor<8xf32>) -> tensor<4xf32> {
  %a = shard.all_reduce %x on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
  %b = shard.all_slice %a on @g grid_axes = [1] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// CHECK-LABEL: func.func @joined
// CHECK-NEXT: shard.all_reduce %arg0 on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf64>
// CHECK-NEXT: return
func.func @joined(%x: tensor<8xf32>) -> tensor<8xf64> {
  %a = shard.reduce_scatter %x on @g grid_axes = [0] scatter_axis = 0 : tensor<8xf32> -> tensor<4xf64>
  %b = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<4xf64> -> tensor<8xf64>
  return %b : tensor<8xf64>
}

// Integers would be rounded twice.
// CHECK-LABEL: func.func @average_of_integers
// CHECK: shard.all_reduce {{.*}} grid_axes = [0, 1] reduction = average
// CHECK: shard.reduce_scatter {{.*}} grid_axes = [0] reduction = average
func.func @average_of_integers(%x: tensor<8xi32>, %y: tensor<8xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %a = shard.all_reduce %x on @g grid_axes = [0, 1] reduction = average : tensor<8xi32> -> tensor<8xi32>
  %b = shard.all_slice %a on @g grid_axes = [1] slice_axis = 0 : tensor<8xi32> -> tensor<4xi32>
  %c = shard.all_reduce %y on @g grid_axes = [0] reduction = average : tensor<8xi32> -> tensor<8xi32>
  %d = shard.all_slice %c on @g grid_axes = [0] slice_axis = 0 : tensor<8xi32> -> tensor<4xi32>
  return %b, %d : tensor<4xi32>, tensor<4xi32>
}

// What is done stands where the reduction stood: it passes no message between two devices.
// CHECK-LABEL: func.func @before_message
// CHECK: shard.reduce_scatter
// CHECK-NEXT: shard.send
func.func @before_message(%x: tensor<8xf32>, %m: tensor<8xf32>, %to: index) -> (tensor<4xf32>, tensor<8xf32>) {
  %a = shard.all_reduce %x on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
  %s = shard.send %m on @g grid_axes = [0] destination = [%to] : (tensor<8xf32>, index) -> tensor<8xf32>
  %b = shard.all_slice %a on @g grid_axes = [0] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  return %b, %s : tensor<4xf32>, tensor<8xf32>
}
