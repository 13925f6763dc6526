// Reshapes regroup loops: a merged dimension follows those of its parts, extents of 1 follow none.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

// CHECK-LABEL: @collapse
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT:   loops: 0 parallel 2, 1 parallel 8, 2 parallel 4, 3 parallel 6
// CHECK-NEXT:   operands: [0][1][2][3]
// CHECK-NEXT:   results: [0 1][2][3]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @collapse(%a: tensor<2x8x4x6xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1], [2], [3]] : tensor<2x8x4x6xf32> into tensor<16x4x6xf32>
  return
}

// CHECK-LABEL: @expand
// CHECK-NEXT: tensor.expand_shape
// CHECK-NEXT:   loops: 0 parallel 2, 1 parallel 8, 2 parallel 4
// CHECK-NEXT:   operands: [0 1][2]
// CHECK-NEXT:   results: [0][][1][2]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @expand(%a: tensor<16x4xf32>) {
  %0 = tensor.expand_shape %a [[0, 1, 2], [3]] output_shape [2, 1, 8, 4] : tensor<16x4xf32> into tensor<2x1x8x4xf32>
  return
}

// CHECK-LABEL: @extents_of_one
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT:   loops: 0 parallel 4
// CHECK-NEXT:   operands: [][][0]
// CHECK-NEXT:   results: [][0]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @extents_of_one(%a: tensor<1x1x4xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<1x1x4xf32> into tensor<1x4xf32>
  return
}

// CHECK-LABEL: @to_scalar
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT:   loops:{{ *$}}
// CHECK-NEXT:   operands: [][]
// CHECK-NEXT:   results:{{ *$}}
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @to_scalar(%a: tensor<1x1xf32>) {
  %0 = tensor.collapse_shape %a [] : tensor<1x1xf32> into tensor<f32>
  return
}

// CHECK-LABEL: @dynamic_alone
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 2, 2 parallel 4
// CHECK-NEXT:   operands: [0][1][2]
// CHECK-NEXT:   results: [0][1 2]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @dynamic_alone(%a: tensor<?x2x4xf32>) {
  %0 = tensor.collapse_shape %a [[0], [1, 2]] : tensor<?x2x4xf32> into tensor<?x8xf32>
  return
}

// CHECK-LABEL: @dynamic_merged
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 4
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0 1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @dynamic_merged(%a: tensor<?x4xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  return
}

// CHECK-LABEL: @two_dynamic_merged
// CHECK-NEXT: tensor.collapse_shape
// CHECK-NEXT:   loops: 0 whole ?, 1 whole ?
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0 1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
// CHECK-NEXT:   remark: merged or split dimensions of which several have a dynamic extent stay whole on every device
func.func @two_dynamic_merged(%a: tensor<?x?xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return
}

// CHECK-LABEL: @cast
// CHECK-NEXT: tensor.cast
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel ?
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @cast(%a: tensor<8x?xf32>) {
  %0 = tensor.cast %a : tensor<8x?xf32> to tensor<?x?xf32>
  return
}
