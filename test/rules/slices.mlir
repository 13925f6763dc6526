// Slices, pads and concatenations: a loop for each dimension that they leave as it is.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

// CHECK-LABEL: @extract
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 2, 2 parallel 6
// CHECK-NEXT:   operands: [0][1*1(1) + 1 of 2, led by 1][2]
// CHECK-NEXT:   results: [0][1][2]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @extract(%a: tensor<8x4x6xf32>) {
  %0 = tensor.extract_slice %a[0, 1, 0] [8, 2, 6] [1, 1, 1] : tensor<8x4x6xf32> to tensor<8x2x6xf32>
  return
}

// As many elements, but not all of the dimension from its start, one after the other.
// CHECK-LABEL: @extract_cuts
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 parallel 2, 1 parallel 3
// CHECK-NEXT:   operands: [][2*0(1) of 3, led by 0][2*1(1) of 5, led by 1], scalar
// CHECK-NEXT:   results: [][0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
// CHECK-NEXT:   remark: dimension 0 of 'tensor.extract_slice' stays whole on every device: the slice is not known to be all of it
func.func @extract_cuts(%a: tensor<8x4x6xf32>, %o: index) {
  %0 = tensor.extract_slice %a[%o, 0, 0] [8, 2, 3] [1, 2, 2] : tensor<8x4x6xf32> to tensor<8x2x3xf32>
  return
}

// Which of two dimensions of size 1 is dropped is not said: neither follows a loop.
// CHECK-LABEL: @extract_drops
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 whole 1, 1 parallel 8, 2 parallel 6
// CHECK-NEXT:   operands: [1*0(1) + 2 of 1, led by 0][1][][2]
// CHECK-NEXT:   results: [1][][2]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @extract_drops(%a: tensor<4x8x1x6xf32>) {
  %0 = tensor.extract_slice %a[2, 0, 0, 0] [1, 8, 1, 6] [1, 1, 1, 1] : tensor<4x8x1x6xf32> to tensor<8x1x6xf32>
  return
}

// CHECK-LABEL: @drops_and_strides
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 whole 1, 1 parallel 8, 2 parallel 3
// CHECK-NEXT:   operands: [1*0(1) + 2 of 1, led by 0][1][2*2(1) of 5, led by 2]
// CHECK-NEXT:   results: [1][2]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
// CHECK-NEXT: tensor.insert_slice
// CHECK-NEXT:   loops: 0 whole 4, 1 parallel 8, 2 parallel 6
// CHECK-NEXT:   operands: [1][1*2(1) of 6, every 2, led by 2], [0][1][2]
// CHECK-NEXT:   results: [0][1][2]
// CHECK-NEXT:   result 0: reduces none, init 1 read, sum of {0} {1}
// CHECK-NEXT:   remark: dimension 0 of 'tensor.insert_slice' stays whole on every device: the slice is not known to be all of it
func.func @drops_and_strides(%a: tensor<4x8x6xf32>) {
  %0 = tensor.extract_slice %a[2, 0, 0] [1, 8, 3] [1, 1, 2] : tensor<4x8x6xf32> to tensor<8x3xf32>
  %1 = tensor.insert_slice %0 into %a[2, 0, 0] [1, 8, 3] [1, 1, 2] : tensor<8x3xf32> into tensor<4x8x6xf32>
  return
}

// CHECK-LABEL: @extract_dynamic
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 2
// CHECK-NEXT:   operands: [0][1*1(1) + 1 of 2, led by 1], scalar
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @extract_dynamic(%a: tensor<?x6xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x6xf32>
  %0 = tensor.extract_slice %a[0, 1] [%n, 2] [1, 1] : tensor<?x6xf32> to tensor<?x2xf32>
  return
}

// The extent of what the slice is of is found through ops that keep shapes, and through sizes.
// CHECK-LABEL: @extract_dynamic_of_same_extent
// CHECK-NEXT: arith.negf
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 6
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {0}
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 2
// CHECK-NEXT:   operands: [0][1*1(1) + 1 of 2, led by 1], scalar
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
// CHECK-NEXT: tensor.empty
// CHECK-NEXT:   free max min and or umax umin maxnum minnum
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 2
// CHECK-NEXT:   operands: [1*0(1) of ?, led by 0][1*1(1) of 2, led by 1], scalar
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0} with complete {0}
// CHECK-NEXT: tensor.insert_slice
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 6
// CHECK-NEXT:   operands: [0][1*1(1) - 2 of 6, led by 1], [0][1], scalar
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1 read, sum of {0} {1}
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 2
// CHECK-NEXT:   operands: [0][1*1(1) + 2 of 2, led by 1], scalar
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @extract_dynamic_of_same_extent(%a: tensor<?x6xf32>, %b: tensor<?x6xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x6xf32>
  %e = arith.negf %a : tensor<?x6xf32>
  %0 = tensor.extract_slice %e[0, 1] [%m, 2] [1, 1] : tensor<?x6xf32> to tensor<?x2xf32>
  %1 = tensor.empty(%n) : tensor<?x6xf32>
  %p = tensor.extract_slice %b[0, 0] [%n, 2] [1, 1] : tensor<?x6xf32> to tensor<?x2xf32>
  %2 = tensor.insert_slice %p into %1[0, 2] [%n, 2] [1, 1] : tensor<?x2xf32> into tensor<?x6xf32>
  %3 = tensor.extract_slice %2[0, 2] [%n, 2] [1, 1] : tensor<?x6xf32> to tensor<?x2xf32>
  return
}

// What a loop carries has the extent that it starts with, if a trip leaves it as it is; nested
// loops too.
// CHECK-LABEL: @insert_in_loops
// CHECK-NEXT: scf.for
// CHECK-NEXT:   no rule
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 2
// CHECK-NEXT:   operands: [0][1*1(1) of 2, led by 1], scalar
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @insert_in_loops(%a: tensor<?x6xf32>, %b: tensor<?x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %n = tensor.dim %a, %c0 : tensor<?x6xf32>
  %0 = scf.for %i = %c0 to %c6 step %c1 iter_args(%u = %a) -> tensor<?x6xf32> {
    %1 = tensor.insert_slice %b into %u[0, %i] [%n, 1] [1, 1] : tensor<?x1xf32> into tensor<?x6xf32>
    %2 = scf.for %j = %c0 to %i step %c1 iter_args(%v = %1) -> tensor<?x6xf32> {
      %3 = arith.negf %v : tensor<?x6xf32>
      %4 = tensor.insert_slice %b into %3[0, %j] [%n, 1] [1, 1] : tensor<?x1xf32> into tensor<?x6xf32>
      scf.yield %4 : tensor<?x6xf32>
    }
    scf.yield %2 : tensor<?x6xf32>
  }
  %5 = tensor.extract_slice %0[0, 0] [%n, 2] [1, 1] : tensor<?x6xf32> to tensor<?x2xf32>
  return
}

// Trips change the extent, or exchange what they carry.
// CHECK-LABEL: @insert_in_loop_that_changes_extents
// CHECK-NEXT: scf.for
// CHECK-NEXT:   no rule
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 2
// CHECK-NEXT:   operands: [1*0(1) of ?, led by 0][1*1(1) of 2, led by 1], scalar
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0} with complete {0}
func.func @insert_in_loop_that_changes_extents(%a: tensor<?x6xf32>, %b: tensor<?x6xf32>, %c: tensor<?x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %n = tensor.dim %a, %c0 : tensor<?x6xf32>
  %0:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%u = %a, %v = %b) -> (tensor<?x6xf32>, tensor<?x6xf32>) {
    %1 = tensor.insert_slice %c into %u[0, %i] [%n, 1] [1, 1] : tensor<?x1xf32> into tensor<?x6xf32>
    scf.yield %v, %1 : tensor<?x6xf32>, tensor<?x6xf32>
  }
  %2 = tensor.extract_slice %0#0[0, 0] [%n, 2] [1, 1] : tensor<?x6xf32> to tensor<?x2xf32>
  return
}

// CHECK-LABEL: @extract_dynamic_of_another_extent
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 6
// CHECK-NEXT:   operands: [1*0(1) of ?, led by 0][1], scalar
// CHECK: {{^}}tensor.extract_slice{{$}}
// CHECK-NEXT:   loops: 0 parallel 4, 1 parallel 6
// CHECK-NEXT:   operands: [1*0(1) of 4, led by 0][1]
func.func @extract_dynamic_of_another_extent(%a: tensor<?x6xf32>, %b: tensor<?x6xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %b, %c0 : tensor<?x6xf32>
  %0 = tensor.extract_slice %a[0, 0] [%n, 6] [1, 1] : tensor<?x6xf32> to tensor<?x6xf32>
  %1 = tensor.extract_slice %a[0, 0] [4, 6] [1, 1] : tensor<?x6xf32> to tensor<4x6xf32>
  return
}

// CHECK-LABEL: @size_is_a_constant
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT:   loops: 0 parallel 4, 1 parallel 6{{$}}
func.func @size_is_a_constant(%a: tensor<4x6xf32>) {
  %n = arith.constant 4 : index
  %0 = tensor.extract_slice %a[0, 0] [%n, 6] [1, 1] : tensor<4x6xf32> to tensor<?x6xf32>
  return
}

// CHECK-LABEL: @insert
// CHECK-NEXT: tensor.insert_slice
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 6
// CHECK-NEXT:   operands: [0][1*1(1) - 1 of 6, every 2, led by 1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1 read, sum of {0} {1}
func.func @insert(%a: tensor<8x2xf32>, %d: tensor<8x6xf32>) {
  %0 = tensor.insert_slice %a into %d[0, 1] [8, 2] [1, 2] : tensor<8x2xf32> into tensor<8x6xf32>
  return
}

// A stride into an extent that is not known.
// CHECK-LABEL: @insert_dynamic
// CHECK-NEXT: tensor.insert_slice
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 6
// CHECK-NEXT:   operands: [1*0(1) - 3 of ?, led by 0][1], [0][1], scalar
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1 read, sum of {0} {1} with complete {0}
// CHECK-NEXT: tensor.insert_slice
// CHECK-NEXT:   loops: 0 whole ?, 1 parallel 6
// CHECK-NEXT:   operands: [][1], [0][1], scalar
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1 read, sum of {0} {1}
// CHECK-NEXT:   remark: dimension 0 of 'tensor.insert_slice' stays whole on every device: the slice is not known to be all of it
func.func @insert_dynamic(%a: tensor<?x6xf32>, %d: tensor<?x6xf32>, %n: index) {
  %0 = tensor.insert_slice %a into %d[3, 0] [%n, 6] [1, 1] : tensor<?x6xf32> into tensor<?x6xf32>
  %1 = tensor.insert_slice %a into %d[3, 0] [%n, 6] [2, 1] : tensor<?x6xf32> into tensor<?x6xf32>
  return
}

// CHECK-LABEL: @insert_adds_dimensions
// CHECK-NEXT: tensor.insert_slice
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 3, 2 parallel 6, 3 whole 1
// CHECK-NEXT:   operands: [0][2], [0][1][2][3]
// CHECK-NEXT:   results: [0][1][2][3]
func.func @insert_adds_dimensions(%a: tensor<8x6xf32>, %d: tensor<8x3x6x1xf32>) {
  %0 = tensor.insert_slice %a into %d[0, 1, 0, 0] [8, 1, 6, 1] [1, 1, 1, 1] : tensor<8x6xf32> into tensor<8x3x6x1xf32>
  return
}

// Nothing of the destination is left: it is not read.
// CHECK-LABEL: @insert_covers
// CHECK-NEXT: tensor.insert_slice
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 1, 2 parallel 6
// CHECK-NEXT:   operands: [0][2], [0][1][2]
// CHECK-NEXT:   results: [0][1][2]
// CHECK-NEXT:   result 0: reduces none, init 1, none of {0}
// CHECK-NOT: remark
func.func @insert_covers(%a: tensor<8x6xf32>, %d: tensor<8x1x6xf32>) {
  %0 = tensor.insert_slice %a into %d[0, 0, 0] [8, 1, 6] [1, 1, 1] : tensor<8x6xf32> into tensor<8x1x6xf32>
  return
}

// CHECK-LABEL: @pads
// CHECK-NEXT: tensor.pad
// CHECK-NEXT:   loops: 0 parallel 8
// CHECK-NEXT:   operands: [0][], scalar
// CHECK-NEXT:   results: [0][]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {0}
// CHECK-NEXT:   remark: dimension 1 of 'tensor.pad' stays whole on every device: it is padded
// CHECK-NEXT: tensor.pad
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 7
// CHECK-NEXT:   operands: [0][1*1(1) - 1 of 7, led by 1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, complete operands
// CHECK-NEXT: tensor.pad
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 6
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @pads(%a: tensor<8x6xf32>, %n: index, %one: f32) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[0, 1] high[0, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x6xf32> to tensor<8x?xf32>
  %1 = tensor.pad %a low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<8x6xf32> to tensor<8x7xf32>
  %2 = tensor.pad %a low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<8x6xf32> to tensor<8x6xf32>
  return
}

// CHECK-LABEL: @pad_dynamic
// CHECK-NEXT: tensor.pad
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 6
// CHECK-NEXT:   operands: [1*0(1) - 1 of ?, led by 0, all and 3][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, complete operands
func.func @pad_dynamic(%a: tensor<?x6xf32>, %one: f32) {
  %0 = tensor.pad %a low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<?x6xf32> to tensor<?x6xf32>
  return
}

// CHECK-LABEL: @pad_reads_a_tensor
// CHECK-NEXT: tensor.pad
// CHECK-NEXT:   no rule: its body reads a tensor from outside
func.func @pad_reads_a_tensor(%a: tensor<8x6xf32>, %b: tensor<8xf32>) {
  %0 = tensor.pad %a low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %b[%i] : tensor<8xf32>
    tensor.yield %v : f32
  } : tensor<8x6xf32> to tensor<8x7xf32>
  return
}

// CHECK-LABEL: @concats
// CHECK-NEXT: tensor.concat
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 7
// CHECK-NEXT:   operands: [0][1*1(1) of 7, led by 1], [0][1*1(1) - 2 of 7, led by 1], [0][1*1(1) - 5 of 7, led by 1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {0} {1} {2}
// CHECK-NEXT: tensor.concat
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 2
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
func.func @concats(%a: tensor<8x2xf32>, %b: tensor<?x3xf32>) {
  %0 = tensor.concat dim(1) %a, %b, %a : (tensor<8x2xf32>, tensor<?x3xf32>, tensor<8x2xf32>) -> tensor<8x7xf32>
  %1 = tensor.concat dim(1) %a : (tensor<8x2xf32>) -> tensor<8x2xf32>
  return
}
