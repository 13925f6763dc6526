// A slice's piece may have sizes 1 that the slice has not: which of its dimensions follow the
// tensor's is known from the loops, not from these sizes. Arguments have their local types before
// the ops that use them are turned.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition)' | FileCheck %s

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @inserted
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[1, 0, 0] [1, 1, 8] [1, 1, 1] : tensor<1x8xf32> into tensor<3x1x8xf32>
func.func @inserted(%x: tensor<4x8xf32>, %d: tensor<3x4x8xf32>) -> tensor<3x4x8xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %0 = tensor.insert_slice %x into %d[1, 0, 0] [1, 4, 8] [1, 1, 1]
    : tensor<4x8xf32> into tensor<3x4x8xf32>
  %1 = shard.shard %0 to %s : tensor<3x4x8xf32>
  return %1 : tensor<3x4x8xf32>
}

// CHECK-LABEL: func.func @inserted_last
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 2] [1, 8, 1] [1, 1, 1] : tensor<1x8xf32> into tensor<1x8x3xf32>
func.func @inserted_last(%x: tensor<4x8xf32>, %d: tensor<4x8x3xf32>) -> tensor<4x8x3xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %0 = tensor.insert_slice %x into %d[0, 0, 2] [4, 8, 1] [1, 1, 1]
    : tensor<4x8xf32> into tensor<4x8x3xf32>
  %1 = shard.shard %0 to %s : tensor<4x8x3xf32>
  return %1 : tensor<4x8x3xf32>
}

// CHECK-LABEL: func.func @extracted
// CHECK: tensor.extract_slice %{{.*}}[1, 0, 0] [1, 1, 8] [1, 1, 1] : tensor<3x1x8xf32> to tensor<1x8xf32>
func.func @extracted(%x: tensor<3x4x8xf32>) -> tensor<4x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %0 = tensor.extract_slice %x[1, 0, 0] [1, 4, 8] [1, 1, 1]
    : tensor<3x4x8xf32> to tensor<4x8xf32>
  %1 = shard.shard %0 to %s : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
