// One row of a split dimension, at a place that only the run knows, costs that row; an update there
// costs nothing: each device writes what lies in its piece. One element costs one element.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' | FileCheck %s
shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @row
// CHECK-NOT: gather
// CHECK: shard.all_reduce {{.*}} : tensor<3x1x6xf32> -> tensor<3x1x6xf32>
// CHECK-NOT: gather
// CHECK: return
func.func @row(%x_in: tensor<3x8x6xf32>, %p: index) -> tensor<3x1x6xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<3x8x6xf32>
  %r = tensor.extract_slice %x[0, %p, 0] [3, 1, 6] [1, 1, 1] : tensor<3x8x6xf32> to tensor<3x1x6xf32>
  return %r : tensor<3x1x6xf32>
}
// CHECK-LABEL: func.func @update
// CHECK-SAME: %[[CACHE:.*]]: tensor<3x2x6xf32> {{.*}}, %[[KEY:.*]]: tensor<3x1x6xf32>
// CHECK-NOT: shard.all
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[KEY]][0, %{{.*}}, 0] [3, %[[N:.*]], 6]
// CHECK: tensor.insert_slice %[[PART]] into %[[CACHE]][0, %{{.*}}, 0] [3, %[[N]], 6]
// CHECK-NOT: shard.all
// CHECK: return
func.func @update(%x_in: tensor<3x8x6xf32>, %key: tensor<3x1x6xf32>, %p: index) -> tensor<3x8x6xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<3x8x6xf32>
  %r = tensor.insert_slice %key into %x[0, %p, 0] [3, 1, 6] [1, 1, 1] : tensor<3x1x6xf32> into tensor<3x8x6xf32>
  return %r : tensor<3x8x6xf32>
}
// CHECK-LABEL: func.func @element
// CHECK-NOT: gather
// CHECK: shard.all_reduce {{.*}} : tensor<f32> -> tensor<f32>
// CHECK-NOT: gather
// CHECK: return
func.func @element(%x_in: tensor<8x6xf32>, %p: index) -> f32 {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x6xf32>
  %r = tensor.extract %x[%p, %p] : tensor<8x6xf32>
  return %r : f32
}
