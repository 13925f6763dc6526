// A slice's piece may have sizes 1 that the slice has not: which of its dimensions follow the
// tensor's is known from the loops, not from these sizes. Arguments have their local types before
// the ops that use them are turned.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition,canonicalize)' \
// RUN:   | FileCheck %s --check-prefix=CANON

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
// CHECK: %[[WIDE:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2]] output_shape [1, 8, 1] : tensor<1x8xf32> into tensor<1x8x1xf32>
// CHECK: tensor.insert_slice %[[WIDE]] into %{{.*}}[0, 0, 2] [1, 8, 1] [1, 1, 1] : tensor<1x8x1xf32> into tensor<1x8x3xf32>
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

// Upstream's canonicalize takes the sizes 1 that a slice lacks for the first ones when it makes an
// operand a constant: pieces that have others keep all dimensions, and a reshape drops them.
// CANON-LABEL: func.func @offset_is_an_operand
// CANON: %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[0, 0, 1] [1, 4, 1] [1, 1, 1] : tensor<1x4x8xf64> to tensor<1x4x1xf64>
// CANON-NEXT: tensor.collapse_shape %[[SLICE]] {{\[}}[0], [1, 2]] : tensor<1x4x1xf64> into tensor<1x4xf64>
func.func @offset_is_an_operand(%a: tensor<4x4x8xf64>) -> tensor<4x4xf64> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<4x4x8xf64>
  %c0 = arith.constant 0 : index
  %0 = tensor.extract_slice %x[0, %c0, 1] [4, 4, 1] [1, 1, 1] : tensor<4x4x8xf64> to tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}

// CANON-LABEL: func.func @sizes_are_operands
// CANON: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 4] [1, 5, 1] [1, 1, 1] : tensor<1x5x1xf64> into tensor<1x5x6xf64>
func.func @sizes_are_operands(%a: tensor<4x5x6xf64>, %z: tensor<?x?xf64>) -> tensor<4x5x6xf64> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<4x5x6xf64>
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %0 = tensor.insert_slice %z into %x[0, 0, 4] [%c4, %c5, 1] [1, 1, 1]
    : tensor<?x?xf64> into tensor<4x5x6xf64>
  return %0 : tensor<4x5x6xf64>
}

// So do those of functions without annotations, which sharded ones call.
// CANON-LABEL: func.func private @in_a_plain_function
// CANON: tensor.extract_slice %{{.*}}[2, 0, 1] [1, 8, 1] [1, 1, 1] : tensor<4x8x3xf32> to tensor<1x8x1xf32>
func.func private @in_a_plain_function(%a: tensor<4x8x3xf32>) -> tensor<1x8xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %a[%c2, 0, 1] [1, 8, 1] [1, 1, 1] : tensor<4x8x3xf32> to tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}
func.func @calls_it(%a: tensor<4x8x3xf32>, %b: tensor<8xf32>) -> (tensor<1x8xf32>, tensor<8xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %b to %s : tensor<8xf32>
  %0 = func.call @in_a_plain_function(%a) : (tensor<4x8x3xf32>) -> tensor<1x8xf32>
  return %0, %x : tensor<1x8xf32>, tensor<8xf32>
}
