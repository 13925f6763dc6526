// An annotation of an argument that nothing uses, to the sharding of another value, over the conversion of tosa to
// linalg: the question stays until it is answered.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s

shard.grid @g(shape = 2)

// CHECK: func.func @main(%{{[a-z0-9]+}}: tensor<8x4xf32> {{.*}}, %[[Y:[a-z0-9]+]]: tensor<8x4xf32> {
// CHECK-NOT: bufferization
func.func @main(%x_in: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<4x8xf32> {
  // CHECK-DAG: shard.shard %[[Y]] to %[[S:.*]] : tensor<8x4xf32>
  // CHECK-NOT: bufferization
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x4xf32>
  %z = math.tanh %x : tensor<8x4xf32>
  %question = shard.get_sharding %z : tensor<8x4xf32> -> !shard.sharding
  %unused = shard.shard %y to %question : tensor<8x4xf32>
  %turned = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %turned : tensor<4x8xf32>
}
