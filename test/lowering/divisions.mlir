// An integer division that has no result on one device ends all of them, with its place; one whose
// divisor is a constant is not looked at.
// REQUIRES: tesserac
// RUN: %tesserac %s -o - --emit=lowered | FileCheck %s
// RUN: %tesserac %s -o %t.so
// RUN: not %tessera_run %t.so --entry by_zero 2>&1 | FileCheck %s --check-prefix=ZERO --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry too_large 2>&1 | FileCheck %s --check-prefix=LARGE --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry unsigned_by_zero 2>&1 | FileCheck %s --check-prefix=UNSIGNED --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry wide_by_zero 2>&1 | FileCheck %s --check-prefix=WIDE --implicit-check-not=error:
// RUN: %tessera_run %t.so --entry good

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @tessera.fn.by_zero
// CHECK: call @tessera.kernel.0
// ZERO: divisions.mlir:[[@LINE+9]]:10: error: 'arith.divsi' on rank 3: an integer division by zero, or one whose result is too large
func.func @by_zero() -> tensor<6xi32> {
  %c = arith.constant dense<[1, 2, 4, 9, 16, 0]> : tensor<6xi32>
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %c to %s : tensor<6xi32>
  %e = tensor.empty() : tensor<6xi32>
  %hundred = arith.constant 100 : i32
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<6xi32>) outs(%e : tensor<6xi32>) {
  ^bb0(%x: i32, %o: i32):
    %q = arith.divsi %hundred, %x : i32
    linalg.yield %q : i32
  } -> tensor<6xi32>
  return %r : tensor<6xi32>
}

// LARGE: divisions.mlir:[[@LINE+10]]:8: error: 'arith.remsi' on rank 1: an integer division
func.func @too_large() -> i8 {
  %one = arith.constant 1 : i8
  %least = arith.constant -128 : i8
  %zero = arith.constant 0 : i8
  %i = shard.process_linear_index on @g : index
  %b = arith.index_cast %i : index to i8
  %minus = arith.subi %zero, %b : i8
  %is_one = arith.cmpi eq, %b, %one : i8
  %divisor = arith.select %is_one, %minus, %least : i8
  %q = arith.remsi %least, %divisor : i8
  return %q : i8
}

// UNSIGNED: divisions.mlir:[[@LINE+3]]:8: error: 'arith.divui' on rank 0: an integer division by zero{{$}}
func.func @unsigned_by_zero() -> index {
  %i = shard.process_linear_index on @g : index
  %q = arith.divui %i, %i : index
  return %q : index
}

// WIDE: divisions.mlir:[[@LINE+4]]:8: error: 'arith.floordivsi' on rank 0: an integer division by zero
func.func @wide_by_zero() -> i64 {
  %i = shard.process_linear_index on @g : index
  %b = arith.index_cast %i : index to i128
  %q = arith.floordivsi %b, %b : i128
  %n = arith.trunci %q : i128 to i64
  return %n : i64
}

// CHECK-LABEL: func.func @tessera.fn.good
// CHECK-NOT: tessera_rt_fail
// CHECK: arith.divsi
// CHECK-NOT: tessera_rt_fail
// CHECK: return
func.func @good() -> index {
  %i = shard.process_linear_index on @g : index
  %seven = arith.constant 7 : index
  %q = arith.divsi %i, %seven : index
  return %q : index
}

// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK: scf.for
// CHECK: scf.if
// CHECK: llvm.call @tessera_rt_fail
// CHECK: arith.divsi
