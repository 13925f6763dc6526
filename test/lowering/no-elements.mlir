// Joins, pads and reshapes of tensors without elements make no views, which upstream would refuse.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// The parts that have elements are joined.
// CHECK-LABEL: func.func @tessera.fn.joins
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<6x7xf32>, %{{[a-z0-9]+}}: memref<6x0xf32>, %[[B:[a-z0-9]+]]: memref<6x2xf32>
// CHECK: memref.subview %[[R:.*]][0, 0] [6, 7] [1, 1]
// CHECK: builtin.unrealized_conversion_cast %[[A]]
// CHECK: memref.subview %[[R]][0, 7] [6, 2] [1, 1]
// CHECK: builtin.unrealized_conversion_cast %[[B]]
// CHECK-NOT: memref.subview
// CHECK: return %[[R]]
func.func @joins(%a: tensor<6x7xf32>, %none: tensor<6x0xf32>, %b: tensor<6x2xf32>)
    -> tensor<6x9xf32> {
  %0 = tensor.concat dim(1) %none, %a, %none, %b, %none
    : (tensor<6x0xf32>, tensor<6x7xf32>, tensor<6x0xf32>, tensor<6x2xf32>, tensor<6x0xf32>)
    -> tensor<6x9xf32>
  return %0 : tensor<6x9xf32>
}

// The result says that the part of an unknown extent is empty.
// CHECK-LABEL: func.func @tessera.fn.join_fits
// CHECK-NOT: memref.subview %{{.*}}[0, 7]
// CHECK: return
func.func @join_fits(%a: tensor<6x7xf32>, %b: tensor<6x?xf32>) -> tensor<6x7xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<6x7xf32>, tensor<6x?xf32>) -> tensor<6x7xf32>
  return %0 : tensor<6x7xf32>
}

// CHECK-LABEL: func.func @tessera.fn.join_empty
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<0x?xf32>, %[[B:[a-z0-9]+]]: memref<0x?xf32>
// CHECK-DAG: %[[M:.*]] = memref.dim %[[A]]
// CHECK-DAG: %[[N:.*]] = memref.dim %[[B]]
// CHECK: %[[SUM:.*]] = arith.addi %[[M]], %[[N]]
// CHECK: memref.alloc(%[[SUM]]) : memref<0x?xf32>
// CHECK-NOT: memref.subview
// CHECK: return
func.func @join_empty(%a: tensor<0x?xf32>, %b: tensor<0x?xf32>) -> tensor<0x?xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<0x?xf32>, tensor<0x?xf32>) -> tensor<0x?xf32>
  return %0 : tensor<0x?xf32>
}

// CHECK-LABEL: func.func @tessera.fn.pads
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: %[[SIZE:.*]] = arith.addi %[[N]], %{{.*}}
// CHECK: memref.alloc(%[[SIZE]]) : memref<?x6xf32>
// CHECK-NOT: memref.subview
// CHECK: return
func.func @pads(%none: tensor<0x4xf32>, %n: index) -> tensor<?x6xf32> {
  %c = arith.constant 1.0 : f32
  %0 = tensor.pad %none low[%n, 2] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<0x4xf32> to tensor<?x6xf32>
  return %0 : tensor<?x6xf32>
}

// CHECK-LABEL: func.func @tessera.fn.pad_fits
// CHECK-NOT: memref.subview
// CHECK: return
func.func @pad_fits(%none: tensor<?x4xf32>) -> tensor<2x4xf32> {
  %c = arith.constant 1.0 : f32
  %0 = tensor.pad %none low[2, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<?x4xf32> to tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @tessera.fn.merges
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<0x?x?xf32>
// CHECK: %[[N:.*]] = memref.dim %[[X]], %c2
// CHECK: memref.alloc(%[[N]]) : memref<0x?xf32>
// CHECK: return
func.func @merges(%x: tensor<0x?x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<0x?x?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
