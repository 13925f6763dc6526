// The collectives have no effects on tensors: an unused one goes, equal ones become one.
// RUN: %mlir_opt %s --canonicalize --cse | FileCheck %s

shard.grid @g(shape = 4)

// CHECK-LABEL: func @f
// CHECK-COUNT-1: tessera.all_gather
// CHECK-NOT: tessera.
func.func @f(%x: tensor<?xf32>, %n: index) -> (tensor<10xf32>, tensor<10xf32>) {
  %0 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<?xf32> -> tensor<10xf32>
  %1 = tessera.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<?xf32> -> tensor<10xf32>
  %2 = tessera.all_slice %0 on @g grid_axes = [0] slice_axis = 0 sizes(%n)
    : tensor<10xf32> -> tensor<?xf32>
  return %0, %1 : tensor<10xf32>, tensor<10xf32>
}
