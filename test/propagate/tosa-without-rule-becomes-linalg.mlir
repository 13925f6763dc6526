// Ops of tosa that have no rule become linalg. Where some extents are not known, each does so alone, but
// for those that upstream writes in a way that is harder to split; the others stay, and so does
// everything where all have a rule.
// RUN: %mlir_opt %s --split-input-file --pass-pipeline='builtin.module(tessera-propagate{remarks=false})' | FileCheck %s

// CHECK-LABEL: @product
// CHECK-NOT: tosa.
// CHECK: linalg.batch_matmul
// CHECK-NOT: tosa.
shard.grid @g(shape = 2)
func.func @product(%x: tensor<2x6x8xf32>, %w: tensor<2x8x5xf32>) -> tensor<2x6x5xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %s : tensor<2x6x8xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %1 = tosa.matmul %0, %w, %zero, %zero : (tensor<2x6x8xf32>, tensor<2x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x6x5xf32>
  return %1 : tensor<2x6x5xf32>
}

// -----

// CHECK-LABEL: @not_known
// CHECK: tosa.add
// CHECK: linalg.reduce
// CHECK: tensor.expand_shape
// CHECK: linalg.batch_matmul
// CHECK: tensor.expand_shape
// CHECK: tensor.extract_slice
// CHECK: tosa.tile
shard.grid @g(shape = 2)
func.func @not_known(%x: tensor<?x6xf32>, %y: tensor<2x6x8xf32>, %w: tensor<2x8x5xf32>)
    -> (tensor<?x1xf32>, tensor<2x6x5xf32>, tensor<?x3x2xf32>, tensor<?x2xf32>, tensor<?x12xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %s : tensor<?x6xf32>
  %sum = tosa.add %0, %0 : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  %1 = tosa.reduce_sum %sum {axis = 1 : i32} : (tensor<?x6xf32>) -> tensor<?x1xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %2 = tosa.matmul %y, %w, %zero, %zero : (tensor<2x6x8xf32>, tensor<2x8x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x6x5xf32>
  %shape = tosa.const_shape {values = dense<[-1, 3, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %3 = tosa.reshape %0, %shape : (tensor<?x6xf32>, !tosa.shape<3>) -> tensor<?x3x2xf32>
  %start = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[-1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %4 = tosa.slice %0, %start, %size : (tensor<?x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x2xf32>
  %times = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %5 = tosa.tile %0, %times : (tensor<?x6xf32>, !tosa.shape<2>) -> tensor<?x12xf32>
  return %1, %2, %3, %4, %5 : tensor<?x1xf32>, tensor<2x6x5xf32>, tensor<?x3x2xf32>, tensor<?x2xf32>, tensor<?x12xf32>
}

// -----

// CHECK-LABEL: @elementwise
// CHECK: tosa.add
shard.grid @g(shape = 2)
func.func @elementwise(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %s : tensor<4x6xf32>
  %1 = tosa.add %0, %0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: @not_annotated
// CHECK: tosa.reduce_sum
func.func @not_annotated(%x: tensor<4x6xf32>) -> tensor<4x1xf32> {
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<4x6xf32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}
