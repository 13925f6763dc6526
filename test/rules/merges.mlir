// Reductions whose body merges what was found so far with the next candidate may be split where merging
// parts gives the same, which is tried on numbers.
// RUN: %build/bin/dump-loops < %s | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#none = affine_map<(i, j) -> ()>

// CHECK-LABEL: @counts_means_and_squares
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 choice 4
func.func @counts_means_and_squares(%a: tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : tensor<8x4xf32>
  %none = arith.constant dense<0.0> : tensor<8x4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %e2 = tensor.empty() : tensor<8x4xf32>
  %x = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x4xf32>) outs(%e2 : tensor<8x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = math.tanh %v : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %0:3 = linalg.generic {indexing_maps = [#ij, #ij, #ij, #i, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%one, %x, %none : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) outs(%z, %z, %z : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%n2: f32, %m2: f32, %s2: f32, %n1: f32, %m1: f32, %s1: f32):
    %c0 = arith.constant 0.0 : f32
    %c1 = arith.constant 1.0 : f32
    %n = arith.addf %n1, %n2 : f32
    %empty = arith.cmpf oeq, %n, %c0 : f32
    %by = arith.select %empty, %c1, %n : f32
    %d = arith.subf %m2, %m1 : f32
    %dn = arith.mulf %d, %n2 : f32
    %step = arith.divf %dn, %by : f32
    %m = arith.addf %m1, %step : f32
    %dd = arith.mulf %d, %d : f32
    %w = arith.mulf %dd, %n1 : f32
    %w2 = arith.mulf %w, %n2 : f32
    %more = arith.divf %w2, %by : f32
    %both = arith.addf %s1, %s2 : f32
    %s = arith.addf %both, %more : f32
    linalg.yield %n, %m, %s : f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// CHECK-LABEL: @exponentials_below_the_largest
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 choice 4
func.func @exponentials_below_the_largest(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) {
  %low = arith.constant dense<-1.0e30> : tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %0:2 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<8x4xf32>, tensor<8x4xf32>) outs(%low, %zero : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%m2: f32, %s2: f32, %m1: f32, %s1: f32):
    %m = arith.maximumf %m1, %m2 : f32
    %d1 = arith.subf %m1, %m : f32
    %d2 = arith.subf %m2, %m : f32
    %e1 = math.exp %d1 : f32
    %e2 = math.exp %d2 : f32
    %p1 = arith.mulf %s1, %e1 : f32
    %p2 = arith.mulf %s2, %e2 : f32
    %s = arith.addf %p1, %p2 : f32
    linalg.yield %m, %s : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// A part of -inf alone has no sum, although all of the row has one.
// CHECK-LABEL: @part_without_a_largest
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
func.func @part_without_a_largest(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) {
  %low = arith.constant dense<0xFF800000> : tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %0:2 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<8x4xf32>, tensor<8x4xf32>) outs(%low, %zero : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%m2: f32, %s2: f32, %m1: f32, %s1: f32):
    %m = arith.maximumf %m1, %m2 : f32
    %d1 = arith.subf %m1, %m : f32
    %d2 = arith.subf %m2, %m : f32
    %e1 = math.exp %d1 : f32
    %e2 = math.exp %d2 : f32
    %p1 = arith.mulf %s1, %e1 : f32
    %p2 = arith.mulf %s2, %e2 : f32
    %s = arith.addf %p1, %p2 : f32
    linalg.yield %m, %s : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// Steps x -> p x + q behind each other: not the same in another order, but part by part.
// CHECK-LABEL: @steps
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 choice 4
func.func @steps(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) {
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %0:2 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<8x4xf32>, tensor<8x4xf32>) outs(%one, %zero : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%p2: f32, %q2: f32, %p1: f32, %q1: f32):
    %p = arith.mulf %p1, %p2 : f32
    %t = arith.mulf %q1, %p2 : f32
    %q = arith.addf %t, %q2 : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// The same of integers, which may wrap; and with an initial value that would count on each device.
// CHECK-LABEL: @steps_of_integers
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 choice 4
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
func.func @steps_of_integers(%a: tensor<8x4xi32>, %b: tensor<8x4xi32>) {
  %one = arith.constant dense<1> : tensor<8xi32>
  %zero = arith.constant dense<0> : tensor<8xi32>
  %0:2 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<8x4xi32>, tensor<8x4xi32>) outs(%one, %zero : tensor<8xi32>, tensor<8xi32>) {
  ^bb0(%p2: i32, %q2: i32, %p1: i32, %q1: i32):
    %p = arith.muli %p1, %p2 : i32
    %t = arith.muli %q1, %p2 : i32
    %q = arith.addi %t, %q2 : i32
    linalg.yield %p, %q : i32, i32
  } -> (tensor<8xi32>, tensor<8xi32>)
  %1:2 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<8x4xi32>, tensor<8x4xi32>) outs(%one, %one : tensor<8xi32>, tensor<8xi32>) {
  ^bb0(%p2: i32, %q2: i32, %p1: i32, %q1: i32):
    %p = arith.muli %p1, %p2 : i32
    %t = arith.muli %q1, %p2 : i32
    %q = arith.addi %t, %q2 : i32
    linalg.yield %p, %q : i32, i32
  } -> (tensor<8xi32>, tensor<8xi32>)
  return
}

// A sum that stops at a bound, at whatever number, depends on the order.
// CHECK-LABEL: @sum_within_bounds
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
func.func @sum_within_bounds(%a: tensor<8x4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %most = arith.constant 1.0e6 : f32
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    %r = arith.minimumf %s, %most : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return
}

// What happens at one number alone counts.
// CHECK-LABEL: @sum_but_for_a_number
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
func.func @sum_but_for_a_number(%a: tensor<8x4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %seven = arith.constant 7.0 : f32
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    %is = arith.cmpf oeq, %x, %seven : f32
    %r = arith.select %is, %x, %s : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return
}

// The logarithm of sums of exponentials, of one value; a mean of what was so far and the next.
// CHECK-LABEL: @one_value
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 choice 4
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 parallel 8, 1 whole 4
func.func @one_value(%a: tensor<8x4xf32>) {
  %low = arith.constant dense<-1.0e30> : tensor<8xf32>
  %half = arith.constant 0.5 : f32
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%low : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.maximumf %x, %o : f32
    %d = arith.subf %x, %o : f32
    %p = math.absf %d : f32
    %n = arith.negf %p : f32
    %e = math.exp %n : f32
    %l = math.log1p %e : f32
    %r = arith.addf %m, %l : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%low : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    %r = arith.mulf %s, %half : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return
}

// Of two loops, what may be merged in any order.
// CHECK-LABEL: @two_loops
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 choice 8, 1 choice 4
// CHECK: linalg.generic
// CHECK-NEXT:   loops: 0 whole 8, 1 whole 4
func.func @two_loops(%a: tensor<8x4xf32>, %b: tensor<8x4xf32>) {
  %low = arith.constant dense<-1.0e30> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.generic {indexing_maps = [#ij, #none], iterator_types = ["reduction", "reduction"]} ins(%a : tensor<8x4xf32>) outs(%low : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.maximumf %x, %o : f32
    %d = arith.subf %x, %o : f32
    %p = math.absf %d : f32
    %n = arith.negf %p : f32
    %e = math.exp %n : f32
    %l = math.log1p %e : f32
    %r = arith.addf %m, %l : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %1:2 = linalg.generic {indexing_maps = [#ij, #ij, #none, #none], iterator_types = ["reduction", "reduction"]} ins(%a, %b : tensor<8x4xf32>, tensor<8x4xf32>) outs(%one, %zero : tensor<f32>, tensor<f32>) {
  ^bb0(%p2: f32, %q2: f32, %p1: f32, %q1: f32):
    %p = arith.mulf %p1, %p2 : f32
    %t = arith.mulf %q1, %p2 : f32
    %q = arith.addf %t, %q2 : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return
}
