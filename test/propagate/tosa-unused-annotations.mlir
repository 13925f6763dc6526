// Annotations whose results nothing uses hold over the conversion of tosa to linalg, which deletes
// what is dead, shardings too: of an argument that is used, and of ones that are not.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s

shard.grid @g(shape = 2x2)

// CHECK: func.func @f(%[[X:[a-z0-9]+]]: tensor<4x6x8xf32> {{.*}}, %[[Y:[a-z0-9]+]]: tensor<6xf32> {{.*}}, %[[Z:[a-z0-9]+]]: tensor<8xf64> {
func.func @f(%x: tensor<4x6x8xf32>, %y: tensor<6xf32>, %z: tensor<8xf64>) -> tensor<8x4x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %alone = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  // CHECK-DAG: %[[A:.*]] = shard.sharding @g split_axes = {{\[\[1, 0\]\]}} :
  // CHECK-DAG: shard.shard %[[Z]] to %[[A]] : tensor<8xf64>
  // CHECK-DAG: %[[R:.*]] = shard.sharding @g split_axes = {{\[\[0\]\]}} : !shard.sharding
  // CHECK-DAG: shard.shard %[[Y]] to %[[R]] : tensor<6xf32>
  // CHECK-DAG: shard.shard %[[X]] to %[[R]] : tensor<4x6x8xf32>
  %unused = shard.shard %x to %rows : tensor<4x6x8xf32>
  %y1 = shard.shard %y to %rows : tensor<6xf32>
  %z1 = shard.shard %z to %alone : tensor<8xf64>
  %turned = tosa.transpose %x {perms = array<i32: 2, 0, 1>} : (tensor<4x6x8xf32>) -> tensor<8x4x6xf32>
  return %turned : tensor<8x4x6xf32>
}
