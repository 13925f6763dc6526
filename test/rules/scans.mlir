// A reduction that counts what is before the result's own place is a scan: one loop for both. Where
// something else counts too, or what is left out is no neutral element, it is none.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

#in = affine_map<(i, j, k) -> (i, k)>
#out = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: @sums
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 scan 4, 2 whole 4
// CHECK-NEXT:   operands: [0][1], [0][1]
// CHECK-NEXT:   results: [0][1]
func.func @sums(%a: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %p = linalg.index 1 : index
    %r = linalg.index 2 : index
    %before = arith.cmpi ule, %r, %p : index
    %zero = arith.constant 0.0 : f32
    %m = arith.select %before, %x, %zero : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @sums_and_ones
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4, 2 reduction 4
func.func @sums_and_ones(%a: tensor<8x4xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %p = linalg.index 1 : index
    %r = linalg.index 2 : index
    %before = arith.cmpi ule, %r, %p : index
    %one = arith.constant 1.0 : f32
    %m = arith.select %before, %x, %one : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: @place_counts
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4, 2 reduction 4
func.func @place_counts(%a: tensor<8x4xindex>, %c: tensor<8x4xindex>) {
  %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : tensor<8x4xindex>) outs(%c : tensor<8x4xindex>) {
  ^bb0(%x: index, %acc: index):
    %p = linalg.index 1 : index
    %r = linalg.index 2 : index
    %before = arith.cmpi ule, %r, %p : index
    %zero = arith.constant 0 : index
    %y = arith.muli %x, %p : index
    %m = arith.select %before, %y, %zero : index
    %s = arith.addi %acc, %m : index
    linalg.yield %s : index
  } -> tensor<8x4xindex>
  return
}

// A window along the loop begins elsewhere on each device.

#line = affine_map<(i, j, k) -> (k)>
#ahead = affine_map<(i, j, k) -> (k + 1)>

// CHECK-LABEL: @read_ahead
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 parallel 4, 2 reduction 4
func.func @read_ahead(%a: tensor<4xf32>, %b: tensor<5xf32>, %c: tensor<8x4xf32>) {
  %0 = linalg.generic {indexing_maps = [#line, #ahead, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4xf32>, tensor<5xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = linalg.index 1 : index
    %r = linalg.index 2 : index
    %before = arith.cmpi ule, %r, %p : index
    %zero = arith.constant 0.0 : f32
    %z = arith.mulf %x, %y : f32
    %m = arith.select %before, %z, %zero : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return
}
