// What rules make of an op for one device: shifted indices, sliced constants, local output shapes.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' | FileCheck %s

shard.grid @g(shape = 2x3)
#ij = affine_map<(i, j) -> (i, j)>

// Dimension 1 is whole: its index needs no shift.
// CHECK-LABEL: func.func @index
// CHECK-SAME: tensor<5x7xi32>
func.func @index(%x_in: tensor<10x7xi32>) -> tensor<10x7xindex> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x7xi32>
  %e = tensor.empty() : tensor<10x7xindex>
  // CHECK: %[[COORDINATE:.*]] = shard.process_multi_index on @g axes = [0]
  // CHECK: %[[OFFSET:.*]] = arith.muli %[[COORDINATE]], %c5
  // CHECK: linalg.generic
  // CHECK: %[[J:.*]] = linalg.index 1
  // CHECK: %[[I:.*]] = linalg.index 0
  // CHECK: %[[GLOBAL:.*]] = arith.addi %[[I]], %[[OFFSET]]
  // CHECK: arith.addi %[[GLOBAL]], %[[J]]
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<10x7xi32>) outs(%e : tensor<10x7xindex>) {
  ^bb0(%a: i32, %o: index):
    %j = linalg.index 1 : index
    %i = linalg.index 0 : index
    %k = arith.addi %i, %j : index
    linalg.yield %k : index
  } -> tensor<10x7xindex>
  return %0 : tensor<10x7xindex>
}

// CHECK-LABEL: func.func @constants
func.func @constants(%x_in: tensor<4x2xi32>) -> (tensor<4x2xi32>, tensor<4x2xi32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x2xi32>
  %splat = arith.constant dense<3> : tensor<4x2xi32>
  %table = arith.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  // CHECK-DAG: arith.constant dense<3> : tensor<2x2xi32>
  // CHECK-DAG: %[[ROWS:.*]] = arith.muli %{{.*}}, %c2
  // CHECK: tensor.extract_slice %{{.*}}[%[[ROWS]], 0] [2, 2] [1, 1] : tensor<4x2xi32> to tensor<2x2xi32>
  %0 = arith.addi %x, %splat : tensor<4x2xi32>
  %1 = arith.addi %x, %table : tensor<4x2xi32>
  return %0, %1 : tensor<4x2xi32>, tensor<4x2xi32>
}

// 8 over 3: an uneven splat, and an output shape that differs between devices.
// CHECK-LABEL: func.func @uneven
// CHECK-SAME: tensor<?x2xf32>
func.func @uneven(%x_in: tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<8x2x1xf32>) {
  %s = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x2xf32>
  %splat = arith.constant dense<3.0> : tensor<8x2xf32>
  // CHECK: %[[SIZE:.*]] = arith.divui
  // CHECK: tensor.splat %{{.*}}[%[[SIZE]]] : tensor<?x2xf32>
  %0 = arith.addf %x, %splat : tensor<8x2xf32>
  // CHECK: tensor.expand_shape %{{.*}} {{.*}} output_shape [%[[SIZE]], 2, 1] : tensor<?x2xf32> into tensor<?x2x1xf32>
  %1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [8, 2, 1] : tensor<8x2xf32> into tensor<8x2x1xf32>
  return %0, %1 : tensor<8x2xf32>, tensor<8x2x1xf32>
}

// Both factors of the merged dimension differ between devices: expand_shape cannot be lowered.
// CHECK-LABEL: func.func @two_unknown_factors
func.func @two_unknown_factors(%x_in: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<3x8xf32>
  // CHECK: tensor.collapse_shape %{{.*}} {{.*}} : tensor<?x?xf32> into tensor<?xf32>
  %m = tensor.collapse_shape %x [[0, 1]] : tensor<3x8xf32> into tensor<24xf32>
  %a = math.absf %m : tensor<24xf32>
  // CHECK: %[[SHAPE:.*]] = tensor.from_elements
  // CHECK: tensor.reshape %{{.*}}(%[[SHAPE]]) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %r = tensor.expand_shape %a [[0, 1]] output_shape [3, 8] : tensor<24xf32> into tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}

// CHECK-LABEL: func.func @generated
func.func @generated(%x_in: tensor<10x3xindex>) -> tensor<10x3xindex> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x3xindex>
  // CHECK: tensor.generate
  // CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index):
  // CHECK-DAG: %[[ROW:.*]] = arith.addi %[[I]], %
  // CHECK-DAG: %[[COLUMN:.*]] = arith.addi %[[J]], %
  // CHECK: arith.muli %[[ROW]], %[[COLUMN]]
  // CHECK: tensor<5x1xindex>
  %t = tensor.generate {
  ^bb0(%i: index, %j: index):
    %k = arith.muli %i, %j : index
    tensor.yield %k : index
  } : tensor<10x3xindex>
  %0 = arith.addi %x, %t : tensor<10x3xindex>
  return %0 : tensor<10x3xindex>
}
