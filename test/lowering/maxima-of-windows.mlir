// The maximum of a window is +0 where one of its zeros is, and a NaN where one of its values is; the minimum
// is -0 where one of its zeros is. Tap j of channel c is the first of two values, negated, where bit j of c is
// set, and else the second.
// REQUIRES: tesserac
// RUN: %tesserac %s -o %t.so
// RUN: %tessera_run %t.so --entry max_zeros_f32
// RUN: %tessera_run %t.so --entry min_zeros_f32
// RUN: %tessera_run %t.so --entry max_nans_f32
// RUN: %tessera_run %t.so --entry min_nans_f32
// RUN: %tessera_run %t.so --entry max_of_nan_f32
// RUN: %tessera_run %t.so --entry max_negative_f32
// RUN: %tessera_run %t.so --entry min_of_less_f32
// RUN: %tessera_run %t.so --entry max_zeros_f64
// RUN: %tessera_run %t.so --entry min_zeros_f64
// RUN: %tessera_run %t.so --entry max_nans_f64
// RUN: %tessera_run %t.so --entry min_nans_f64
// RUN: %tessera_run %t.so --entry max_of_nan_f64
// RUN: %tessera_run %t.so --entry max_negative_f64

#all = affine_map<(n, h, w, c) -> (n, h, w, c)>

func.func private @values_f32(%a: f32, %b: f32) -> tensor<1x3x5x40xf32> {
  %e = tensor.empty() : tensor<1x3x5x40xf32>
  %x = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%e : tensor<1x3x5x40xf32>) {
  ^bb0(%o: f32):
    %one = arith.constant 1 : index
    %j = linalg.index 1 : index
    %c = linalg.index 3 : index
    %s = arith.shrui %c, %j : index
    %bit = arith.andi %s, %one : index
    %set = arith.cmpi eq, %bit, %one : index
    %v = arith.select %set, %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<1x3x5x40xf32>
  return %x : tensor<1x3x5x40xf32>
}

// Each result is %wanted in the channels whose last three bits are those of %bits, and %other in others.
func.func private @check_f32(%r: tensor<1x1x5x40xf32>, %bits: index, %wanted: f32, %other: f32) -> tensor<1x1x5x40xi1> {
  %e = tensor.empty() : tensor<1x1x5x40xi1>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%r : tensor<1x1x5x40xf32>) outs(%e : tensor<1x1x5x40xi1>) {
  ^bb0(%v: f32, %o: i1):
    %seven = arith.constant 7 : index
    %c = linalg.index 3 : index
    %low = arith.andi %c, %seven : index
    %is = arith.cmpi eq, %low, %bits : index
    %want = arith.select %is, %wanted, %other : f32
    %p = arith.bitcast %v : f32 to i32
    %q = arith.bitcast %want : f32 to i32
    %same = arith.cmpi eq, %p, %q : i32
    %nan = arith.cmpf uno, %v, %v : f32
    %wants_nan = arith.cmpf uno, %want, %want : f32
    %both = arith.andi %nan, %wants_nan : i1
    %good = arith.ori %same, %both : i1
    cf.assert %good, "another result"
    linalg.yield %good : i1
  } -> tensor<1x1x5x40xi1>
  return %y : tensor<1x1x5x40xi1>
}

func.func @max_zeros_f32() -> (tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>) {
  %a = arith.constant 0.0 : f32
  %b = arith.constant -0.0 : f32
  %v = call @values_f32(%a, %b) : (f32, f32) -> tensor<1x3x5x40xf32>
  %x = arith.negf %v : tensor<1x3x5x40xf32>
  %w = tensor.empty() : tensor<3x1xf32>
  %init = arith.constant dense<-0.0> : tensor<1x1x5x40xf32>
  %r = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x3x5x40xf32>, tensor<3x1xf32>)
      outs(%init : tensor<1x1x5x40xf32>) -> tensor<1x1x5x40xf32>
  %bits = arith.constant 7 : index
  %wanted = arith.constant -0.0 : f32
  %other = arith.constant 0.0 : f32
  %y = call @check_f32(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf32>, index, f32, f32) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>
}

func.func @min_zeros_f32() -> (tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>) {
  %a = arith.constant 0.0 : f32
  %b = arith.constant -0.0 : f32
  %v = call @values_f32(%a, %b) : (f32, f32) -> tensor<1x3x5x40xf32>
  %x = arith.negf %v : tensor<1x3x5x40xf32>
  %w = tensor.empty() : tensor<3x1xf32>
  %init = arith.constant dense<0.0> : tensor<1x1x5x40xf32>
  %r = linalg.pooling_nhwc_min ins(%x, %w : tensor<1x3x5x40xf32>, tensor<3x1xf32>)
      outs(%init : tensor<1x1x5x40xf32>) -> tensor<1x1x5x40xf32>
  %bits = arith.constant 0 : index
  %wanted = arith.constant 0.0 : f32
  %other = arith.constant -0.0 : f32
  %y = call @check_f32(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf32>, index, f32, f32) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>
}

func.func @max_nans_f32() -> (tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>) {
  %a = arith.constant 0x7FC00000 : f32
  %b = arith.constant 0xFF800000 : f32
  %v = call @values_f32(%a, %b) : (f32, f32) -> tensor<1x3x5x40xf32>
  %x = arith.negf %v : tensor<1x3x5x40xf32>
  %w = tensor.empty() : tensor<3x1xf32>
  %init = arith.constant dense<0.0> : tensor<1x1x5x40xf32>
  %r = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x3x5x40xf32>, tensor<3x1xf32>)
      outs(%init : tensor<1x1x5x40xf32>) -> tensor<1x1x5x40xf32>
  %bits = arith.constant 0 : index
  %wanted = arith.constant 0x7F800000 : f32
  %other = arith.constant 0xFFC00000 : f32
  %y = call @check_f32(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf32>, index, f32, f32) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>
}

func.func @min_nans_f32() -> (tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>) {
  %a = arith.constant 0x7FC00000 : f32
  %b = arith.constant 0x7F800000 : f32
  %v = call @values_f32(%a, %b) : (f32, f32) -> tensor<1x3x5x40xf32>
  %x = arith.negf %v : tensor<1x3x5x40xf32>
  %w = tensor.empty() : tensor<3x1xf32>
  %init = arith.constant dense<0.0> : tensor<1x1x5x40xf32>
  %r = linalg.pooling_nhwc_min ins(%x, %w : tensor<1x3x5x40xf32>, tensor<3x1xf32>)
      outs(%init : tensor<1x1x5x40xf32>) -> tensor<1x1x5x40xf32>
  %bits = arith.constant 0 : index
  %wanted = arith.constant 0xFF800000 : f32
  %other = arith.constant 0xFFC00000 : f32
  %y = call @check_f32(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf32>, index, f32, f32) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>
}

func.func @max_of_nan_f32() -> (tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>) {
  %a = arith.constant -1.0 : f32
  %b = arith.constant -2.0 : f32
  %v = call @values_f32(%a, %b) : (f32, f32) -> tensor<1x3x5x40xf32>
  %x = arith.negf %v : tensor<1x3x5x40xf32>
  %w = tensor.empty() : tensor<3x1xf32>
  %init = arith.constant dense<0xFFC00000> : tensor<1x1x5x40xf32>
  %r = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x3x5x40xf32>, tensor<3x1xf32>)
      outs(%init : tensor<1x1x5x40xf32>) -> tensor<1x1x5x40xf32>
  %bits = arith.constant 0 : index
  %wanted = arith.constant 0xFFC00000 : f32
  %other = arith.constant 0xFFC00000 : f32
  %y = call @check_f32(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf32>, index, f32, f32) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>
}

func.func @max_negative_f32() -> (tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>) {
  %a = arith.constant 3.0 : f32
  %b = arith.constant 2.0 : f32
  %v = call @values_f32(%a, %b) : (f32, f32) -> tensor<1x3x5x40xf32>
  %x = arith.negf %v : tensor<1x3x5x40xf32>
  %w = tensor.empty() : tensor<3x1xf32>
  %init = arith.constant dense<0xFF800000> : tensor<1x1x5x40xf32>
  %r = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x3x5x40xf32>, tensor<3x1xf32>)
      outs(%init : tensor<1x1x5x40xf32>) -> tensor<1x1x5x40xf32>
  %bits = arith.constant 7 : index
  %wanted = arith.constant -3.0 : f32
  %other = arith.constant -2.0 : f32
  %y = call @check_f32(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf32>, index, f32, f32) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>
}

func.func @min_of_less_f32() -> (tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>) {
  %a = arith.constant -3.0 : f32
  %b = arith.constant -2.0 : f32
  %v = call @values_f32(%a, %b) : (f32, f32) -> tensor<1x3x5x40xf32>
  %x = arith.negf %v : tensor<1x3x5x40xf32>
  %w = tensor.empty() : tensor<3x1xf32>
  %init = arith.constant dense<2.5> : tensor<1x1x5x40xf32>
  %r = linalg.pooling_nhwc_min ins(%x, %w : tensor<1x3x5x40xf32>, tensor<3x1xf32>)
      outs(%init : tensor<1x1x5x40xf32>) -> tensor<1x1x5x40xf32>
  %bits = arith.constant 7 : index
  %wanted = arith.constant 2.5 : f32
  %other = arith.constant 2.0 : f32
  %y = call @check_f32(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf32>, index, f32, f32) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf32>, tensor<1x1x5x40xi1>
}

func.func private @values_f64(%a: f64, %b: f64) -> tensor<1x3x5x40xf64> {
  %e = tensor.empty() : tensor<1x3x5x40xf64>
  %x = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%e : tensor<1x3x5x40xf64>) {
  ^bb0(%o: f64):
    %one = arith.constant 1 : index
    %j = linalg.index 1 : index
    %c = linalg.index 3 : index
    %s = arith.shrui %c, %j : index
    %bit = arith.andi %s, %one : index
    %set = arith.cmpi eq, %bit, %one : index
    %v = arith.select %set, %a, %b : f64
    linalg.yield %v : f64
  } -> tensor<1x3x5x40xf64>
  return %x : tensor<1x3x5x40xf64>
}

// Each result is %wanted in the channels whose last three bits are those of %bits, and %other in others.
func.func private @check_f64(%r: tensor<1x1x5x40xf64>, %bits: index, %wanted: f64, %other: f64) -> tensor<1x1x5x40xi1> {
  %e = tensor.empty() : tensor<1x1x5x40xi1>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%r : tensor<1x1x5x40xf64>) outs(%e : tensor<1x1x5x40xi1>) {
  ^bb0(%v: f64, %o: i1):
    %seven = arith.constant 7 : index
    %c = linalg.index 3 : index
    %low = arith.andi %c, %seven : index
    %is = arith.cmpi eq, %low, %bits : index
    %want = arith.select %is, %wanted, %other : f64
    %p = arith.bitcast %v : f64 to i64
    %q = arith.bitcast %want : f64 to i64
    %same = arith.cmpi eq, %p, %q : i64
    %nan = arith.cmpf uno, %v, %v : f64
    %wants_nan = arith.cmpf uno, %want, %want : f64
    %both = arith.andi %nan, %wants_nan : i1
    %good = arith.ori %same, %both : i1
    cf.assert %good, "another result"
    linalg.yield %good : i1
  } -> tensor<1x1x5x40xi1>
  return %y : tensor<1x1x5x40xi1>
}

func.func @max_zeros_f64() -> (tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>) {
  %a = arith.constant 0.0 : f64
  %b = arith.constant -0.0 : f64
  %v = call @values_f64(%a, %b) : (f64, f64) -> tensor<1x3x5x40xf64>
  %x = arith.negf %v : tensor<1x3x5x40xf64>
  %w = tensor.empty() : tensor<3x1xf64>
  %init = arith.constant dense<-0.0> : tensor<1x1x5x40xf64>
  %r = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x3x5x40xf64>, tensor<3x1xf64>)
      outs(%init : tensor<1x1x5x40xf64>) -> tensor<1x1x5x40xf64>
  %bits = arith.constant 7 : index
  %wanted = arith.constant -0.0 : f64
  %other = arith.constant 0.0 : f64
  %y = call @check_f64(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf64>, index, f64, f64) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>
}

func.func @min_zeros_f64() -> (tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>) {
  %a = arith.constant 0.0 : f64
  %b = arith.constant -0.0 : f64
  %v = call @values_f64(%a, %b) : (f64, f64) -> tensor<1x3x5x40xf64>
  %x = arith.negf %v : tensor<1x3x5x40xf64>
  %w = tensor.empty() : tensor<3x1xf64>
  %init = arith.constant dense<0.0> : tensor<1x1x5x40xf64>
  %r = linalg.pooling_nhwc_min ins(%x, %w : tensor<1x3x5x40xf64>, tensor<3x1xf64>)
      outs(%init : tensor<1x1x5x40xf64>) -> tensor<1x1x5x40xf64>
  %bits = arith.constant 0 : index
  %wanted = arith.constant 0.0 : f64
  %other = arith.constant -0.0 : f64
  %y = call @check_f64(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf64>, index, f64, f64) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>
}

func.func @max_nans_f64() -> (tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>) {
  %a = arith.constant 0xFFF8000000000000 : f64
  %b = arith.constant 0xFFF0000000000000 : f64
  %v = call @values_f64(%a, %b) : (f64, f64) -> tensor<1x3x5x40xf64>
  %x = arith.negf %v : tensor<1x3x5x40xf64>
  %w = tensor.empty() : tensor<3x1xf64>
  %init = arith.constant dense<0.0> : tensor<1x1x5x40xf64>
  %r = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x3x5x40xf64>, tensor<3x1xf64>)
      outs(%init : tensor<1x1x5x40xf64>) -> tensor<1x1x5x40xf64>
  %bits = arith.constant 0 : index
  %wanted = arith.constant 0x7FF0000000000000 : f64
  %other = arith.constant 0x7FF8000000000000 : f64
  %y = call @check_f64(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf64>, index, f64, f64) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>
}

func.func @min_nans_f64() -> (tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>) {
  %a = arith.constant 0xFFF8000000000000 : f64
  %b = arith.constant 0x7FF0000000000000 : f64
  %v = call @values_f64(%a, %b) : (f64, f64) -> tensor<1x3x5x40xf64>
  %x = arith.negf %v : tensor<1x3x5x40xf64>
  %w = tensor.empty() : tensor<3x1xf64>
  %init = arith.constant dense<0.0> : tensor<1x1x5x40xf64>
  %r = linalg.pooling_nhwc_min ins(%x, %w : tensor<1x3x5x40xf64>, tensor<3x1xf64>)
      outs(%init : tensor<1x1x5x40xf64>) -> tensor<1x1x5x40xf64>
  %bits = arith.constant 0 : index
  %wanted = arith.constant 0xFFF0000000000000 : f64
  %other = arith.constant 0x7FF8000000000000 : f64
  %y = call @check_f64(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf64>, index, f64, f64) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>
}

func.func @max_of_nan_f64() -> (tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>) {
  %a = arith.constant -1.0 : f64
  %b = arith.constant -2.0 : f64
  %v = call @values_f64(%a, %b) : (f64, f64) -> tensor<1x3x5x40xf64>
  %x = arith.negf %v : tensor<1x3x5x40xf64>
  %w = tensor.empty() : tensor<3x1xf64>
  %init = arith.constant dense<0x7FF8000000000000> : tensor<1x1x5x40xf64>
  %r = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x3x5x40xf64>, tensor<3x1xf64>)
      outs(%init : tensor<1x1x5x40xf64>) -> tensor<1x1x5x40xf64>
  %bits = arith.constant 0 : index
  %wanted = arith.constant 0x7FF8000000000000 : f64
  %other = arith.constant 0x7FF8000000000000 : f64
  %y = call @check_f64(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf64>, index, f64, f64) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>
}

func.func @max_negative_f64() -> (tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>) {
  %a = arith.constant 3.0 : f64
  %b = arith.constant 2.0 : f64
  %v = call @values_f64(%a, %b) : (f64, f64) -> tensor<1x3x5x40xf64>
  %x = arith.negf %v : tensor<1x3x5x40xf64>
  %w = tensor.empty() : tensor<3x1xf64>
  %init = arith.constant dense<0xFFF0000000000000> : tensor<1x1x5x40xf64>
  %r = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x3x5x40xf64>, tensor<3x1xf64>)
      outs(%init : tensor<1x1x5x40xf64>) -> tensor<1x1x5x40xf64>
  %bits = arith.constant 7 : index
  %wanted = arith.constant -3.0 : f64
  %other = arith.constant -2.0 : f64
  %y = call @check_f64(%r, %bits, %wanted, %other) : (tensor<1x1x5x40xf64>, index, f64, f64) -> tensor<1x1x5x40xi1>
  return %x, %y : tensor<1x3x5x40xf64>, tensor<1x1x5x40xi1>
}
