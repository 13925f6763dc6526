// A dimension that the body reads where it computes from the index of one loop is a window of that
// loop, a range for each index; what falls is one, too. What data says, what turns around, and what
// two loops say is none.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

#i = affine_map<(i) -> (i)>
#ij = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: @halved
// CHECK:   loops: 0 parallel 8, 1 parallel 3
// CHECK:   operands: [0][1], [0 0 1 1 2 2 3 3, led by 0][1]
func.func @halved(%x: tensor<4x3xf32>, %o: tensor<8x3xf32>) {
  %c2 = arith.constant 2 : index
  %0 = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<8x3xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %h = arith.divui %i, %c2 : index
    %v = tensor.extract %x[%h, %j] : tensor<4x3xf32>
    linalg.yield %v : f32
  } -> tensor<8x3xf32>
  return
}

// Two places, of floats that are rounded as the program rounds them: 7 * 0.7 is 4.9.
// CHECK-LABEL: @between
// CHECK:   operands: [0], [0-1 0-1 1-2 2-3 2-3 3-4 4-5 4-5, led by 0]
func.func @between(%x: tensor<6xf32>, %o: tensor<8xf32>) {
  %scale = arith.constant 0.7 : f32
  %c1 = arith.constant 1 : index
  %last = arith.constant 5 : index
  %0 = linalg.generic {indexing_maps = [#i], iterator_types = ["parallel"]} outs(%o : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %g = arith.mulf %f, %scale : f32
    %h = math.floor %g : f32
    %n = arith.fptosi %h : f32 to i32
    %p = arith.index_cast %n : i32 to index
    %q = arith.addi %p, %c1 : index
    %r = arith.minsi %q, %last : index
    %a = tensor.extract %x[%p] : tensor<6xf32>
    %b = tensor.extract %x[%r] : tensor<6xf32>
    %v = arith.addf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return
}

// Through tensors of indices, one that is listed and one that is counted and compared.
// CHECK-LABEL: @listed
// CHECK:   operands: [0], [0], [7 6 4 1, led by 0]
func.func @listed(%x: tensor<8xf32>, %o: tensor<4xf32>) {
  %list = arith.constant dense<[-1, 6, 4, 1]> : tensor<4xi64>
  %e = tensor.empty() : tensor<4xi64>
  %n = arith.constant 8 : i64
  %zero = arith.constant 0 : i64
  %at = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%list : tensor<4xi64>) outs(%e : tensor<4xi64>) {
  ^bb0(%p: i64, %out: i64):
    %below = arith.cmpi slt, %p, %zero : i64
    %q = arith.addi %p, %n : i64
    %r = arith.select %below, %q, %p : i64
    linalg.yield %r : i64
  } -> tensor<4xi64>
  %0 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%at : tensor<4xi64>) outs(%o : tensor<4xf32>) {
  ^bb0(%p: i64, %out: f32):
    %i = arith.index_cast %p : i64 to index
    %v = tensor.extract %x[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return
}

// CHECK-LABEL: @turned_around
// CHECK:   loops: 0 parallel 8, 1 lookup 8
// CHECK:   operands: [0], [1]
func.func @turned_around(%x: tensor<8xf32>, %o: tensor<8xf32>) {
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %0 = linalg.generic {indexing_maps = [#i], iterator_types = ["parallel"]} outs(%o : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %a = arith.addi %i, %c3 : index
    %b = arith.remui %a, %c8 : index
    %v = tensor.extract %x[%b] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return
}

// CHECK-LABEL: @of_two_loops
// CHECK:   operands: [0][1], [2]
func.func @of_two_loops(%x: tensor<16xf32>, %o: tensor<4x8xf32>) {
  %c2 = arith.constant 2 : index
  %0 = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<4x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.muli %i, %c2 : index
    %b = arith.addi %a, %j : index
    %v = tensor.extract %x[%b] : tensor<16xf32>
    linalg.yield %v : f32
  } -> tensor<4x8xf32>
  return
}
