// Elementwise ops on tensors have one loop a dimension; tosa broadcasts extents of 1.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

// CHECK-LABEL: @arith
// CHECK-NEXT: arith.addf
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {0} {1}
// CHECK-NEXT: arith.divf
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {0} with complete {1}
// CHECK-NEXT: arith.maximumf
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, max of {0} {1}
// CHECK-NEXT: arith.cmpf
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, complete operands
// CHECK-NEXT: arith.select
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {1} {2} with complete {0}
// CHECK-NEXT: arith.select
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: scalar, [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {1} {2}
// CHECK-NEXT: arith.truncf
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, complete operands
func.func @arith(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>, %m: tensor<8x4xi1>, %p: i1) {
  %0 = arith.addf %a, %b : tensor<8x4xf32>
  %1 = arith.divf %a, %b : tensor<8x4xf32>
  %2 = arith.maximumf %a, %b : tensor<8x4xf32>
  %3 = arith.cmpf olt, %a, %b : tensor<8x4xf32>
  %4 = arith.select %m, %a, %b : tensor<8x4xi1>, tensor<8x4xf32>
  %5 = arith.select %p, %a, %b : tensor<8x4xf32>
  %6 = arith.truncf %a : tensor<8x4xf32> to tensor<8x4xbf16>
  return
}

// CHECK-LABEL: @math
// CHECK-NEXT: math.tanh
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel ?
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, complete operands
// CHECK-NEXT: math.fma
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel ?
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {0,1} {2}
// CHECK-NEXT: math.rsqrt
// CHECK-NEXT:   loops:{{ *$}}
// CHECK-NEXT:   operands:{{ *$}}
// CHECK-NEXT:   results:{{ *$}}
// CHECK-NEXT:   result 0: reduces none, init -1, complete operands
func.func @math(%a: tensor<8x?xf32>, %b: tensor<f32>) {
  %0 = math.tanh %a : tensor<8x?xf32>
  %1 = math.fma %a, %a, %a : tensor<8x?xf32>
  %2 = math.rsqrt %b : tensor<f32>
  return
}

// CHECK-LABEL: @tosa
// CHECK-NEXT: tosa.sigmoid
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, complete operands
// CHECK-NEXT: tosa.add
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {0} {1}
// CHECK-NEXT: tosa.mul
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][], [][1], []
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {0,1}
// CHECK-NEXT: tosa.negate
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [], []
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {0}
// CHECK-NEXT: tosa.cast
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, complete operands
// CHECK-NEXT: tosa.identity
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, none of {0}
// CHECK-NEXT: tosa.greater
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, complete operands
func.func @tosa(%a: tensor<8x4xf32>, %b: tensor<8x1xf32>, %c: tensor<1x4xf32>, %shift: tensor<1xi8>, %zp: tensor<1xf32>) {
  %0 = tosa.sigmoid %a : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = tosa.add %a, %b : (tensor<8x4xf32>, tensor<8x1xf32>) -> tensor<8x4xf32>
  %2 = tosa.mul %b, %c, %shift : (tensor<8x1xf32>, tensor<1x4xf32>, tensor<1xi8>) -> tensor<8x4xf32>
  %3 = tosa.negate %a, %zp, %zp : (tensor<8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8x4xf32>
  %4 = tosa.cast %a : (tensor<8x4xf32>) -> tensor<8x4xf16>
  %5 = tosa.identity %a : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %6 = tosa.greater %a, %c : (tensor<8x4xf32>, tensor<1x4xf32>) -> tensor<8x4xi1>
  return
}

// CHECK-LABEL: @tosa_vectors
// CHECK-NEXT: tosa.mul
// CHECK-NEXT:   loops: 0 parallel 1
// CHECK-NEXT:   operands: [0], [0], []
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {0,1}
func.func @tosa_vectors(%a: tensor<1xf32>, %shift: tensor<1xi8>) {
  %0 = tosa.mul %a, %a, %shift : (tensor<1xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<1xf32>
  return
}

// CHECK-LABEL: @tosa_dynamic
// CHECK-NEXT: tosa.add
// CHECK-NEXT:   loops: 0 whole ?, 1 parallel 4
// CHECK-NEXT:   operands: [][1], [][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, sum of {0} {1}
// CHECK-NEXT:   remark: dimension 0 of 'tosa.add' stays whole on every device: whether operand 1 broadcasts along it is known at run time only
// CHECK-NEXT: tosa.exp
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 4
// CHECK-NEXT:   operands: [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init -1, complete operands
func.func @tosa_dynamic(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) {
  %0 = tosa.add %a, %b : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tosa.exp %a : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: @unranked
// CHECK-NEXT: arith.negf
// CHECK-NEXT:   no rule: it has a tensor without a rank
func.func @unranked(%a: tensor<*xf32>) {
  %0 = arith.negf %a : tensor<*xf32>
  return
}

// CHECK-LABEL: @materialize
// CHECK-NEXT: bufferization.materialize_in_destination
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, none of {0}
func.func @materialize(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) {
  %0 = bufferization.materialize_in_destination %a in %b : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}
