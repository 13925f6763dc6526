// Annotations whose results nothing uses hold over the conversion of tosa to linalg, which deletes
// what is dead: of an argument that is used, and of one that is not.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s

shard.grid @g(shape = 2)

// CHECK: func.func @f(%[[X:[a-z0-9]+]]: tensor<4x6x8xf32> {{.*}}, %[[Y:[a-z0-9]+]]: tensor<6xf32> {
func.func @f(%x: tensor<4x6x8xf32>, %y: tensor<6xf32>) -> tensor<8x4x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  // CHECK-DAG: %[[S:.*]] = shard.sharding @g split_axes = {{\[\[0\]\]}} :
  // CHECK-DAG: shard.shard %[[X]] to %[[S]] : tensor<4x6x8xf32>
  // CHECK-DAG: shard.shard %[[Y]] to %[[S]] : tensor<6xf32>
  %unused = shard.shard %x to %rows : tensor<4x6x8xf32>
  %alone = shard.shard %y to %rows : tensor<6xf32>
  %turned = tosa.transpose %x {perms = array<i32: 2, 0, 1>} : (tensor<4x6x8xf32>) -> tensor<8x4x6xf32>
  return %turned : tensor<8x4x6xf32>
}
