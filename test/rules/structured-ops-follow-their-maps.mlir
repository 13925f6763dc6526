// Loops of structured ops come from indexing maps and iterator types, named or generic.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
#ii = affine_map<(i, j) -> (i, i)>
#one = affine_map<(i, j) -> (i, 0)>
#shift = affine_map<(i, j) -> (i, j + 1)>

// CHECK-LABEL: @matmul
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 6, 2 reduction 4
// CHECK-NEXT:   operands: [0][2], [2][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces sum, init 2 read, sum of {2} {0,1}
func.func @matmul(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<8x6xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return
}

// CHECK-LABEL: @batch_matmul_of_dynamic_batch
// CHECK-NEXT: linalg.batch_matmul
// CHECK-NEXT:   loops: 0 parallel ?, 1 parallel 8, 2 parallel 6, 3 reduction 4
// CHECK-NEXT:   operands: [0][1][3], [0][3][2], [0][1][2]
// CHECK-NEXT:   results: [0][1][2]
// CHECK-NEXT:   result 0: reduces sum, init 2 read, sum of {2} {0,1}
func.func @batch_matmul_of_dynamic_batch(%a: tensor<?x8x4xf32>, %b: tensor<?x4x6xf32>, %c: tensor<?x8x6xf32>) {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<?x8x4xf32>, tensor<?x4x6xf32>) outs(%c : tensor<?x8x6xf32>) -> tensor<?x8x6xf32>
  return
}

// CHECK-LABEL: @transpose
// CHECK-NEXT: linalg.transpose
// CHECK-NEXT:   loops: 0 parallel 4, 1 parallel 8
// CHECK-NEXT:   operands: [1][0], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, none of {0}
func.func @transpose(%a: tensor<8x4xf32>, %c: tensor<4x8xf32>) {
  %0 = linalg.transpose ins(%a : tensor<8x4xf32>) outs(%c : tensor<4x8xf32>) permutation = [1, 0]
  return
}

// CHECK-LABEL: @broadcast
// CHECK-NEXT: linalg.broadcast
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, none of {0}
func.func @broadcast(%a: tensor<8xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.broadcast ins(%a : tensor<8xf32>) outs(%c : tensor<8x4xf32>) dimensions = [1]
  return
}

// CHECK-LABEL: @map
// CHECK-NEXT: linalg.map
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, complete operands
func.func @map(%a: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.map { math.exp } ins(%a : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>)
  return
}

// CHECK-LABEL: @window_stays_whole
// CHECK-NEXT: linalg.conv_2d_nhwc_hwcf
// CHECK-NEXT:   loops: 0 parallel 2, 1 parallel 8, 2 parallel 8, 3 parallel 4, 4 whole 3, 5 whole 3, 6 reduction 3
// CHECK-NEXT:   operands: [0][1*1(3) + 1*4(8) of 10, led by 1][1*2(3) + 1*5(8) of 10, led by 2][6], [4][5][6][3], [0][1][2][3]
// CHECK-NEXT:   results: [0][1][2][3]
// CHECK-NEXT:   result 0: reduces sum, init 2 read, sum of {2} {0,1}
func.func @window_stays_whole(%x: tensor<2x10x10x3xf32>, %k: tensor<3x3x3x4xf32>, %o: tensor<2x8x8x4xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<2x10x10x3xf32>, tensor<3x3x3x4xf32>) outs(%o : tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
  return
}

// CHECK-LABEL: @extent_one_is_read_by_all
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, none of {0}
func.func @extent_one_is_read_by_all(%a: tensor<8x1xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#one, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x1xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @shifted_stays_whole
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [0][1*1(1) + 1 of 4, led by 1], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, none of {0}
func.func @shifted_stays_whole(%a: tensor<8x5xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#shift, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x5xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @repeated_stays_whole
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 whole 8, 1 parallel 4
// CHECK-NEXT:   operands: [][], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1, none of {0}
// CHECK-NEXT:   remark: loop 0 of 'linalg.generic' stays whole on every device: one operand uses it for two dimensions
func.func @repeated_stays_whole(%a: tensor<8x8xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ii, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x8xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @parallel_but_not_in_the_result
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
// CHECK-NEXT:   operands: [0][1], [0]
// CHECK-NEXT:   results: [0]
// CHECK-NEXT:   result 0: reduces none, init 1, none of {0}
// CHECK-NEXT:   remark: loop 1 of 'linalg.generic' stays whole on every device: a result is not indexed by it although it is parallel
func.func @parallel_but_not_in_the_result(%a: tensor<8x4xf32>, %c: tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x4xf32>) outs(%c : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @destination_that_is_read
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4
// CHECK-NEXT:   operands: [1][0], [0][1]
// CHECK-NEXT:   results: [0][1]
// CHECK-NEXT:   result 0: reduces none, init 1 read, sum of {1} {0}
func.func @destination_that_is_read(%a: tensor<4x8xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.subf %y, %x : f32
    linalg.yield %0 : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @captured_tensor
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4, 2 lookup 16
// CHECK-NEXT:   operands: [0][1], [0][1], [2]
func.func @captured_tensor(%table: tensor<16xf32>, %a: tensor<8x4xi32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x4xi32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x: i32, %y: f32):
    %p = arith.index_cast %x : i32 to index
    %0 = tensor.extract %table[%p] : tensor<16xf32>
    linalg.yield %0 : f32
  } -> tensor<8x4xf32>
  return
}

// What may fail for an element that a device has in place of one that it lacks is not looked up so.
// CHECK-LABEL: @captured_divisors
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4{{$}}
func.func @captured_divisors(%table: tensor<16xindex>, %a: tensor<8x4xi32>, %c: tensor<8x4xindex>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x4xi32>) outs(%c : tensor<8x4xindex>) {
  ^bb0(%x: i32, %y: index):
    %p = arith.index_cast %x : i32 to index
    %0 = tensor.extract %table[%p] : tensor<16xindex>
    %1 = index.divu %p, %0
    linalg.yield %1 : index
  } -> tensor<8x4xindex>
  return
}

// CHECK-LABEL: @captured_exponents
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4{{$}}
func.func @captured_exponents(%table: tensor<16xi32>, %a: tensor<8x4xi32>, %c: tensor<8x4xi32>) {
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x4xi32>) outs(%c : tensor<8x4xi32>) {
  ^bb0(%x: i32, %y: i32):
    %p = arith.index_cast %x : i32 to index
    %0 = tensor.extract %table[%p] : tensor<16xi32>
    %1 = math.ipowi %x, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<8x4xi32>
  return
}

// CHECK-LABEL: @captured_and_divided_by_seven
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4, 2 lookup 16
func.func @captured_and_divided_by_seven(%table: tensor<16xi32>, %a: tensor<8x4xi32>, %c: tensor<8x4xi32>) {
  %seven = arith.constant 7 : i32
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x4xi32>) outs(%c : tensor<8x4xi32>) {
  ^bb0(%x: i32, %y: i32):
    %p = arith.index_cast %x : i32 to index
    %0 = tensor.extract %table[%p] : tensor<16xi32>
    %1 = arith.divsi %0, %seven : i32
    linalg.yield %1 : i32
  } -> tensor<8x4xi32>
  return
}

// CHECK-LABEL: @named_that_asks_for_indices
// CHECK-NEXT: linalg.fill_rng_2d
// CHECK-NEXT:   no rule: its body depends on loop indices
func.func @named_that_asks_for_indices(%min: f64, %max: f64, %seed: i32, %c: tensor<8x4xf32>) {
  %0 = linalg.fill_rng_2d ins(%min, %max, %seed : f64, f64, i32) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @softmax
// CHECK-NEXT: linalg.softmax
// CHECK-NEXT:   no rule
func.func @softmax(%a: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}
