// Reductions that choose a candidate by an order may be split; those that choose by none, or of which
// the last of equal candidates stays, may not.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// CHECK-LABEL: @first_of_the_largest
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 choice 4
func.func @first_of_the_largest(%a: tensor<8x4xi32>, %c: tensor<8xi32>, %d: tensor<8xi64>) {
  %0:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xi32>) outs(%c, %d : tensor<8xi32>, tensor<8xi64>) {
  ^bb0(%x: i32, %most: i32, %at: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %more = arith.cmpi sgt, %x, %most : i32
    %0 = arith.select %more, %x, %most : i32
    %1 = arith.select %more, %here, %at : i64
    linalg.yield %0, %1 : i32, i64
  } -> (tensor<8xi32>, tensor<8xi64>)
  return
}

// CHECK-LABEL: @last_of_the_largest
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
func.func @last_of_the_largest(%a: tensor<8x4xi32>, %c: tensor<8xi32>, %d: tensor<8xi64>) {
  %0:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xi32>) outs(%c, %d : tensor<8xi32>, tensor<8xi64>) {
  ^bb0(%x: i32, %most: i32, %at: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %more = arith.cmpi sge, %x, %most : i32
    %0 = arith.select %more, %x, %most : i32
    %1 = arith.select %more, %here, %at : i64
    linalg.yield %0, %1 : i32, i64
  } -> (tensor<8xi32>, tensor<8xi64>)
  return
}

// The index is chosen by the running maximum, signed and unsigned.
// CHECK-LABEL: @by_two_orders
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
func.func @by_two_orders(%a: tensor<8x4xi32>, %c: tensor<8xi32>, %d: tensor<8xi64>) {
  %0:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xi32>) outs(%c, %d : tensor<8xi32>, tensor<8xi64>) {
  ^bb0(%x: i32, %most: i32, %at: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %more = arith.cmpi ugt, %x, %most : i32
    %0 = arith.maxsi %x, %most : i32
    %1 = arith.select %more, %here, %at : i64
    linalg.yield %0, %1 : i32, i64
  } -> (tensor<8xi32>, tensor<8xi64>)
  return
}

// A NaN becomes the value and not the index, as torch-mlir says it.
// CHECK-LABEL: @value_and_index_part
// CHECK-NEXT: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 choice 4
func.func @value_and_index_part(%a: tensor<8x4xf32>, %c: tensor<8xf32>, %d: tensor<8xi64>) {
  %0:2 = linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%c, %d : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%x: f32, %most: f32, %at: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %more = arith.cmpf ogt, %x, %most : f32
    %0 = arith.maximumf %x, %most : f32
    %1 = arith.select %more, %here, %at : i64
    linalg.yield %0, %1 : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return
}
