// An integer division that has no result on one device ends all of them, with its place; one whose
// divisor is a constant is not looked at.
// REQUIRES: tesserac
// RUN: %tesserac %s -o - --emit=lowered | FileCheck %s
// RUN: %tesserac %s -o %t.so
// RUN: not %tessera_run %t.so --entry by_zero 2>&1 | FileCheck %s --check-prefix=ZERO --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry too_large 2>&1 | FileCheck %s --check-prefix=LARGE --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry unsigned_by_zero 2>&1 | FileCheck %s --check-prefix=UNSIGNED --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry wide_by_zero 2>&1 | FileCheck %s --check-prefix=WIDE --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry wide_too_large 2>&1 | FileCheck %s --check-prefix=WIDE-LARGE --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry index_by_zero 2>&1 | FileCheck %s --check-prefix=INDEX --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry index_remainder 2>&1 | FileCheck %s --check-prefix=INDEX-REM --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry index_ceil 2>&1 | FileCheck %s --check-prefix=INDEX-CEIL --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry named 2>&1 | FileCheck %s --check-prefix=NAMED --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry power 2>&1 | FileCheck %s --check-prefix=POWER --implicit-check-not=error:
// RUN: %tessera_run %t.so --entry remainders
// RUN: %tessera_run %t.so --entry powers
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

// LARGE: divisions.mlir:[[@LINE+10]]:8: error: 'arith.divsi' on rank 1: an integer division by zero, or one whose result is too large
func.func @too_large() -> i8 {
  %one = arith.constant 1 : i8
  %least = arith.constant -128 : i8
  %zero = arith.constant 0 : i8
  %i = shard.process_linear_index on @g : index
  %b = arith.index_cast %i : index to i8
  %minus = arith.subi %zero, %b : i8
  %is_one = arith.cmpi eq, %b, %one : i8
  %divisor = arith.select %is_one, %minus, %least : i8
  %q = arith.divsi %least, %divisor : i8
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

// WIDE-LARGE: divisions.mlir:[[@LINE+11]]:8: error: 'arith.divsi' on rank 1: an integer division by zero, or one whose result is too large
func.func @wide_too_large() -> i64 {
  %bits = arith.constant 127 : i128
  %one = arith.constant 1 : i128
  %least = arith.shli %one, %bits : i128
  %two = arith.constant 2 : i128
  %i = shard.process_linear_index on @g : index
  %b = arith.index_cast %i : index to i128
  %three = arith.constant 3 : i128
  %even = arith.muli %b, %two : i128
  %divisor = arith.subi %even, %three : i128
  %q = arith.divsi %least, %divisor : i128
  %n = arith.trunci %q : i128 to i64
  return %n : i64
}

// INDEX: divisions.mlir:[[@LINE+3]]:8: error: 'index.divs' on rank 0: an integer division by zero
func.func @index_by_zero() -> index {
  %i = shard.process_linear_index on @g : index
  %q = index.divs %i, %i
  return %q : index
}

// INDEX-REM: divisions.mlir:[[@LINE+3]]:8: error: 'index.remu' on rank 0: an integer division by zero{{$}}
func.func @index_remainder() -> index {
  %i = shard.process_linear_index on @g : index
  %q = index.remu %i, %i
  return %q : index
}

// INDEX-CEIL: divisions.mlir:[[@LINE+3]]:8: error: 'index.ceildivu' on rank 0: an integer division by zero{{$}}
func.func @index_ceil() -> index {
  %i = shard.process_linear_index on @g : index
  %q = index.ceildivu %i, %i
  return %q : index
}

// The body of a named op has no place of its own.
// NAMED: divisions.mlir:[[@LINE+6]]:8: error: 'arith.divsi' on rank 2: an integer division by zero
func.func @named() -> tensor<4xi32> {
  %c = arith.constant dense<[1, 2, 0, 4]> : tensor<4xi32>
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %c to %s : tensor<4xi32>
  %e = tensor.empty() : tensor<4xi32>
  %r = linalg.div ins(%c, %a : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// POWER: divisions.mlir:[[@LINE+5]]:8: error: 'math.ipowi' on rank 0: zero to a negative power{{$}}
func.func @power() -> i32 {
  %i = shard.process_linear_index on @g : index
  %b = arith.index_cast %i : index to i32
  %minus = arith.constant -3 : i32
  %q = math.ipowi %b, %minus : i32
  return %q : i32
}

// Powers of other numbers, and zero to the power of zero.
func.func @powers() {
  %one = arith.constant 1 : i32
  %minus = arith.constant -3 : i32
  %i = shard.process_linear_index on @g : index
  %b = arith.index_cast %i : index to i32
  %n = arith.addi %b, %one : i32
  %p = math.ipowi %n, %minus : i32
  %q = math.ipowi %b, %b : i32
  %p_one = arith.cmpi eq, %n, %one : i32
  %expected = arith.extui %p_one : i1 to i32
  %p_good = arith.cmpi eq, %p, %expected : i32
  cf.assert %p_good, "1 or 0"
  %q_good = arith.cmpi sge, %q, %one : i32
  cf.assert %q_good, "1 or more"
  return
}

// The remainder by -1 is 0, also that of the least number.
func.func @remainders() {
  %zero = arith.constant 0 : i32
  %index_zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %minus_one = arith.constant -1 : index
  %i = shard.process_linear_index on @g : index
  %divisor = arith.ori %i, %minus_one : index
  %bits = arith.constant 63 : index
  %d = index.maxs %divisor, %minus_one
  %least = index.shl %d, %bits
  %r = index.rems %least, %divisor
  %r_good = arith.cmpi eq, %r, %index_zero : index
  cf.assert %r_good, "0"
  %j = index.sub %i, %two
  %b = arith.index_cast %j : index to i32
  %is_one = arith.cmpi slt, %j, %index_zero : index
  %mask = arith.extsi %is_one : i1 to i32
  %one = arith.constant 1 : i32
  %by = arith.ori %mask, %one : i32
  %small = arith.constant -2147483648 : i32
  %t = arith.remsi %small, %by : i32
  %t_good = arith.cmpi eq, %t, %zero : i32
  cf.assert %t_good, "0"
  return
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
