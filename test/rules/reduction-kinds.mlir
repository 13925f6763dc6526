// Every reduction is found from how the body combines; what is none keeps its loop whole.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// CHECK-LABEL: @sum
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces sum, init 1 read, sum of {1} {0}
func.func @sum(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    %0 = arith.addf %o0, %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @product
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces product, init 1 read, product of {1} {0}
func.func @product(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    %0 = arith.mulf %o0, %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @maximum
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces max, init 1 read, max of {1} {0}
func.func @maximum(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    %0 = arith.maximumf %o0, %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @minimum
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces min, init 1 read, min of {1} {0}
func.func @minimum(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    %0 = arith.minimumf %o0, %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @maximum_number
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces maxnum, init 1 read, maxnum of {1} {0}
func.func @maximum_number(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    %0 = arith.maxnumf %o0, %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @minimum_number
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces minnum, init 1 read, minnum of {1} {0}
func.func @minimum_number(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    %0 = arith.minnumf %o0, %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @integer_sum
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces sum, init 1 read, sum of {1} {0}
func.func @integer_sum(%a0: tensor<8x4xi32>, %c0: tensor<8xi32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xi32>) outs(%c0 : tensor<8xi32>) {
  ^bb0(%x0: i32, %o0: i32):
    %0 = arith.addi %o0, %x0 : i32
    linalg.yield %0 : i32
  } -> tensor<8xi32>
  return
}

// CHECK-LABEL: @integer_product
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces product, init 1 read, product of {1} {0}
func.func @integer_product(%a0: tensor<8x4xi32>, %c0: tensor<8xi32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xi32>) outs(%c0 : tensor<8xi32>) {
  ^bb0(%x0: i32, %o0: i32):
    %0 = arith.muli %o0, %x0 : i32
    linalg.yield %0 : i32
  } -> tensor<8xi32>
  return
}

// CHECK-LABEL: @signed_maximum
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces max, init 1 read, max of {1} {0}
func.func @signed_maximum(%a0: tensor<8x4xi32>, %c0: tensor<8xi32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xi32>) outs(%c0 : tensor<8xi32>) {
  ^bb0(%x0: i32, %o0: i32):
    %0 = arith.maxsi %o0, %x0 : i32
    linalg.yield %0 : i32
  } -> tensor<8xi32>
  return
}

// CHECK-LABEL: @signed_minimum
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces min, init 1 read, min of {1} {0}
func.func @signed_minimum(%a0: tensor<8x4xi32>, %c0: tensor<8xi32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xi32>) outs(%c0 : tensor<8xi32>) {
  ^bb0(%x0: i32, %o0: i32):
    %0 = arith.minsi %o0, %x0 : i32
    linalg.yield %0 : i32
  } -> tensor<8xi32>
  return
}

// CHECK-LABEL: @unsigned_maximum
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces umax, init 1 read, umax of {1} {0}
func.func @unsigned_maximum(%a0: tensor<8x4xi32>, %c0: tensor<8xi32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xi32>) outs(%c0 : tensor<8xi32>) {
  ^bb0(%x0: i32, %o0: i32):
    %0 = arith.maxui %o0, %x0 : i32
    linalg.yield %0 : i32
  } -> tensor<8xi32>
  return
}

// CHECK-LABEL: @unsigned_minimum
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces umin, init 1 read, umin of {1} {0}
func.func @unsigned_minimum(%a0: tensor<8x4xi32>, %c0: tensor<8xi32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xi32>) outs(%c0 : tensor<8xi32>) {
  ^bb0(%x0: i32, %o0: i32):
    %0 = arith.minui %o0, %x0 : i32
    linalg.yield %0 : i32
  } -> tensor<8xi32>
  return
}

// CHECK-LABEL: @bits_and
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces and, init 1 read, and of {1} {0}
func.func @bits_and(%a0: tensor<8x4xi32>, %c0: tensor<8xi32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xi32>) outs(%c0 : tensor<8xi32>) {
  ^bb0(%x0: i32, %o0: i32):
    %0 = arith.andi %o0, %x0 : i32
    linalg.yield %0 : i32
  } -> tensor<8xi32>
  return
}

// CHECK-LABEL: @bits_or
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces or, init 1 read, or of {1} {0}
func.func @bits_or(%a0: tensor<8x4xi1>, %c0: tensor<8xi1>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xi1>) outs(%c0 : tensor<8xi1>) {
  ^bb0(%x0: i1, %o0: i1):
    %0 = arith.ori %o0, %x0 : i1
    linalg.yield %0 : i1
  } -> tensor<8xi1>
  return
}

// CHECK-LABEL: @bits_xor
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces xor, init 1 read, xor of {1} {0}
func.func @bits_xor(%a0: tensor<8x4xi32>, %c0: tensor<8xi32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xi32>) outs(%c0 : tensor<8xi32>) {
  ^bb0(%x0: i32, %o0: i32):
    %0 = arith.xori %o0, %x0 : i32
    linalg.yield %0 : i32
  } -> tensor<8xi32>
  return
}

// CHECK-LABEL: @sum_of_bits
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces xor, init 1 read, xor of {1} {0}
func.func @sum_of_bits(%a0: tensor<8x4xi1>, %c0: tensor<8xi1>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xi1>) outs(%c0 : tensor<8xi1>) {
  ^bb0(%x0: i1, %o0: i1):
    %0 = arith.addi %o0, %x0 : i1
    linalg.yield %0 : i1
  } -> tensor<8xi1>
  return
}

// CHECK-LABEL: @product_of_bits
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces and, init 1 read, and of {1} {0}
func.func @product_of_bits(%a0: tensor<8x4xi1>, %c0: tensor<8xi1>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xi1>) outs(%c0 : tensor<8xi1>) {
  ^bb0(%x0: i1, %o0: i1):
    %0 = arith.muli %o0, %x0 : i1
    linalg.yield %0 : i1
  } -> tensor<8xi1>
  return
}

// CHECK-LABEL: @complex_sum
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces sum, init 1 read, sum of {1} {0}
func.func @complex_sum(%a0: tensor<8x4xcomplex<f32>>, %c0: tensor<8xcomplex<f32>>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xcomplex<f32>>) outs(%c0 : tensor<8xcomplex<f32>>) {
  ^bb0(%x0: complex<f32>, %o0: complex<f32>):
    %0 = complex.add %o0, %x0 : complex<f32>
    linalg.yield %0 : complex<f32>
  } -> tensor<8xcomplex<f32>>
  return
}

// CHECK-LABEL: @complex_product
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces product, init 1 read, product of {1} {0}
func.func @complex_product(%a0: tensor<8x4xcomplex<f32>>, %c0: tensor<8xcomplex<f32>>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xcomplex<f32>>) outs(%c0 : tensor<8xcomplex<f32>>) {
  ^bb0(%x0: complex<f32>, %o0: complex<f32>):
    %0 = complex.mul %o0, %x0 : complex<f32>
    linalg.yield %0 : complex<f32>
  } -> tensor<8xcomplex<f32>>
  return
}

// CHECK-LABEL: @accumulator_second
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces sum, init 1 read, sum of {1} {0}
func.func @accumulator_second(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    %0 = arith.addf %x0, %o0 : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @subtracted
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces sum, init 1 read, sum of {1} {0}
func.func @subtracted(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    %0 = arith.subf %o0, %x0 : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @alternating
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces none, init 1 read, complete operands
// CHECK-NEXT:   remark: loop 1 of 'linalg.generic' stays whole on every device: the body does not combine result 0 by a known reduction
func.func @alternating(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    %0 = arith.subf %x0, %o0 : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @fused_multiply_add
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces sum, init 2 read, sum of {2} {0,1}
func.func @fused_multiply_add(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o0: f32):
    %0 = math.fma %x0, %x1, %o0 : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @two_steps_of_one_kind
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces sum, init 2 read, sum of {2} {0} {1}
func.func @two_steps_of_one_kind(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o0: f32):
    %0 = arith.addf %o0, %x0 : f32
    %1 = arith.addf %x1, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @two_kinds
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
// CHECK-NEXT:   operands: [0][1], [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces none, init 2 read, complete operands
// CHECK-NEXT:   remark: loop 1 of 'linalg.generic' stays whole on every device: the body does not combine result 0 by a known reduction
func.func @two_kinds(%a0: tensor<8x4xf32>, %a1: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0, %a1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o0: f32):
    %0 = arith.addf %o0, %x0 : f32
    %1 = arith.mulf %x1, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @accumulator_used_twice
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces none, init 1 read, complete operands
// CHECK-NEXT:   remark: loop 1 of 'linalg.generic' stays whole on every device: the body does not combine result 0 by a known reduction
func.func @accumulator_used_twice(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    %0 = arith.mulf %x0, %o0 : f32
    %1 = arith.addf %0, %o0 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @last_one_wins
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces none, init 1, complete operands
// CHECK-NEXT:   remark: loop 1 of 'linalg.generic' stays whole on every device: the body does not combine result 0 by a known reduction
func.func @last_one_wins(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0 : tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32):
    linalg.yield %x0 : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @each_result_its_own
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [0], [0]
// CHECK-NEXT:   results: [0], [0]
// CHECK-NEXT:   result 0: reduces sum, init 1 read, sum of {1} {0}
// CHECK-NEXT:   result 1: reduces max, init 2 read, max of {2} {0}
func.func @each_result_its_own(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>, %c1: tensor<8xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0, %c1 : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32, %o1: f32):
    %0 = arith.addf %o0, %x0 : f32
    %1 = arith.maximumf %o1, %x0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// CHECK-LABEL: @result_of_another
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
// CHECK-NEXT:   operands: [0][1], [0], [0]
// CHECK-NEXT:   results: [0], [0]
// CHECK-NEXT:   result 0: reduces none, init 1 read, complete operands
// CHECK-NEXT:   result 1: reduces none, init 2 read, complete operands
// CHECK-NEXT:   remark: loop 1 of 'linalg.generic' stays whole on every device: the body does not combine result 0 by a known reduction
func.func @result_of_another(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>, %c1: tensor<8xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0, %c1 : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32, %o1: f32):
    %0 = arith.addf %o0, %x0 : f32
    %1 = arith.maximumf %o1, %0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// CHECK-LABEL: @yielded_in_the_wrong_place
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
// CHECK-NEXT:   operands: [0][1], [0], [0]
// CHECK-NEXT:   results: [0], [0]
// CHECK-NEXT:   result 0: reduces none, init 1 read, complete operands
// CHECK-NEXT:   result 1: reduces none, init 2 read, complete operands
// CHECK-NEXT:   remark: loop 1 of 'linalg.generic' stays whole on every device: the body does not combine result 0 by a known reduction
func.func @yielded_in_the_wrong_place(%a0: tensor<8x4xf32>, %c0: tensor<8xf32>, %c1: tensor<8xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<8x4xf32>) outs(%c0, %c1 : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x0: f32, %o0: f32, %o1: f32):
    %0 = arith.addf %o0, %x0 : f32
    %1 = arith.addf %o1, %x0 : f32
    linalg.yield %1, %0 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// What is added under a condition is added: the condition has to be known everywhere.
// CHECK-LABEL: @sum_of_what_is_chosen
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 reduction 4
// CHECK-NEXT:   operands: [0][1], [1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces sum, init 2 read, sum of {2} {0} with complete {1}
func.func @sum_of_what_is_chosen(%a: tensor<8x4xf32>, %ids: tensor<4xi32>, %c: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (j)>, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %ids : tensor<8x4xf32>, tensor<4xi32>) outs(%c : tensor<8xf32>) {
  ^bb0(%x: f32, %id: i32, %acc: f32):
    %v = linalg.index 0 : index
    %p = arith.index_cast %id : i32 to index
    %e = arith.cmpi eq, %v, %p : index
    %s = arith.addf %acc, %x : f32
    %m = arith.select %e, %s, %acc : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return
}

// The last one that is chosen stays: no combination.
// CHECK-LABEL: @last_of_what_is_chosen
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
func.func @last_of_what_is_chosen(%a: tensor<8x4xf32>, %ids: tensor<4xi32>, %c: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (j)>, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %ids : tensor<8x4xf32>, tensor<4xi32>) outs(%c : tensor<8xf32>) {
  ^bb0(%x: f32, %id: i32, %acc: f32):
    %v = linalg.index 0 : index
    %p = arith.index_cast %id : i32 to index
    %e = arith.cmpi eq, %v, %p : index
    %m = arith.select %e, %x, %acc : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return
}
