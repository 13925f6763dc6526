// How results depend on operands, so that partial operands may stay partial: sums of products.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: @copy
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, none of {0}
func.func @copy(%a0: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %o: f32):
    linalg.yield %x0 : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @sum_of_two
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 2, sum of {0} {1}
func.func @sum_of_two(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %r = arith.addf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @difference_scaled
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 2, sum of {0} {1}
func.func @difference_scaled(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %h = arith.constant 0.5 : f32
    %m = arith.mulf %h, %x1 : f32
    %r = arith.subf %x0, %m : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @product_of_two
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 2, sum of {0,1}
func.func @product_of_two(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %r = arith.mulf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @sum_times_third
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 3, sum of {0,2} {1,2}
func.func @sum_times_third(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %a2: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1, %a2 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %x2: f32, %o: f32):
    %s = arith.addf %x0, %x1 : f32
    %r = arith.mulf %s, %x2 : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @square
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, complete operands
func.func @square(%a0: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %r = arith.mulf %x0, %x0 : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @plus_one
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, complete operands
func.func @plus_one(%a0: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %h = arith.constant 1.0 : f32
    %r = arith.addf %x0, %h : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @plus_zero
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, sum of {0}
func.func @plus_zero(%a0: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %h = arith.constant 0.0 : f32
    %r = arith.addf %x0, %h : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @scaled_sum_of_one
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 2, sum of {0,1} {1}
func.func @scaled_sum_of_one(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %h = arith.constant 1.0 : f32
    %s = arith.addf %x0, %h : f32
    %r = arith.mulf %s, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @quotient
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 2, sum of {0} with complete {1}
func.func @quotient(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %r = arith.divf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @one_over
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, complete operands
func.func @one_over(%a0: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %h = arith.constant 1.0 : f32
    %r = arith.divf %h, %x0 : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @captured_factor
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, sum of {0}
func.func @captured_factor(%a0: tensor<8x4xf32>, %c: tensor<8x4xf32>, %k: f32) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %r = arith.mulf %x0, %k : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @masked
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 2, sum of {1} with complete {0}
func.func @masked(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %x0, %z : f32
    %r = arith.select %p, %x1, %z : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @one_of_two
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 3, sum of {0} {1} with complete {2}
func.func @one_of_two(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %a2: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1, %a2 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %x2: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %x2, %z : f32
    %r = arith.select %p, %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @maximum_of_two
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 2, max of {0} {1}
func.func @maximum_of_two(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %r = arith.maximumf %x0, %x1 : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @maximum_with_constant
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, max of {0}
func.func @maximum_with_constant(%a0: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %z = arith.constant 0.0 : f32
    %r = arith.maximumf %x0, %z : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @maximum_plus
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 2, complete operands
func.func @maximum_plus(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %z = arith.maximumf %x0, %x1 : f32
    %r = arith.addf %x0, %z : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @exponential
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, complete operands
func.func @exponential(%a0: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %r = math.exp %x0 : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @widened
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, none of {0}
func.func @widened(%a0: tensor<8x4xf16>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xf16>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x0: f16, %o: f32):
    %r = arith.extf %x0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @narrowed
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, complete operands
func.func @narrowed(%a0: tensor<8x4xf32>, %c: tensor<8x4xf16>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xf32>) outs(%c : tensor<8x4xf16>) {
  ^bb0(%x0: f32, %o: f16):
    %r = arith.truncf %x0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<8x4xf16>
  return
}

// CHECK-LABEL: @integers_truncated
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, sum of {0}
func.func @integers_truncated(%a0: tensor<8x4xi32>, %c: tensor<8x4xi8>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xi32>) outs(%c : tensor<8x4xi8>) {
  ^bb0(%x0: i32, %o: i8):
    %r = arith.trunci %x0 : i32 to i8
    linalg.yield %r : i8
  } -> tensor<8x4xi8>
  return
}

// CHECK-LABEL: @integers_extended
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, complete operands
func.func @integers_extended(%a0: tensor<8x4xi8>, %c: tensor<8x4xi32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xi8>) outs(%c : tensor<8x4xi32>) {
  ^bb0(%x0: i8, %o: i32):
    %r = arith.extsi %x0 : i8 to i32
    linalg.yield %r : i32
  } -> tensor<8x4xi32>
  return
}

// CHECK-LABEL: @bits_added
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 2, xor of {0} {1}
func.func @bits_added(%a0: tensor<8x4xi1>, %a1: tensor<8x4xi1>, %c: tensor<8x4xi1>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<8x4xi1>, tensor<8x4xi1>) outs(%c : tensor<8x4xi1>) {
  ^bb0(%x0: i1, %x1: i1, %o: i1):
    %r = arith.addi %x0, %x1 : i1
    linalg.yield %r : i1
  } -> tensor<8x4xi1>
  return
}

// CHECK-LABEL: @bit_of_two
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 3, complete operands
func.func @bit_of_two(%a0: tensor<8x4xi1>, %a1: tensor<8x4xi1>, %a2: tensor<8x4xi1>, %c: tensor<8x4xi1>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1, %a2 : tensor<8x4xi1>, tensor<8x4xi1>, tensor<8x4xi1>) outs(%c : tensor<8x4xi1>) {
  ^bb0(%x0: i1, %x1: i1, %x2: i1, %o: i1):
    %r = arith.select %x2, %x0, %x1 : i1
    linalg.yield %r : i1
  } -> tensor<8x4xi1>
  return
}

// CHECK-LABEL: @index_as_factor
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, sum of {0}
func.func @index_as_factor(%a0: tensor<8x4xi32>, %c: tensor<8x4xi32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<8x4xi32>) outs(%c : tensor<8x4xi32>) {
  ^bb0(%x0: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %r = arith.muli %x0, %j : i32
    linalg.yield %r : i32
  } -> tensor<8x4xi32>
  return
}
