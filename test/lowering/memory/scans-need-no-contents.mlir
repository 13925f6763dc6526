// What a loop writes over as a whole, a row in each step, in either direction, needs no contents
// before; what it reads, leaves out or starts from otherwise keeps them.
// RUN: %tesserac %s -o - --emit=lowered --print-after=overwritten 2>&1 | FileCheck %s

// CHECK-LABEL: // ---- after overwritten
// CHECK-LABEL: func.func @tessera.fn.forward
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @forward(%x: tensor<64xf32>) -> tensor<16x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %low = arith.constant 0 : index
  %high = arith.constant 15 : index
  %rows = arith.constant dense<0.0> : tensor<16x64xf32>
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %rows) -> tensor<16x64xf32> : i32 {
    %k = arith.index_cast %i : i32 to index
    %l = arith.maxsi %k, %low : index
    %m = arith.minsi %l, %high : index
    %u = tensor.insert_slice %x into %t[%m, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<16x64xf32>
    scf.yield %u : tensor<16x64xf32>
  }
  return %r : tensor<16x64xf32>
}

// CHECK-LABEL: func.func @tessera.fn.backward
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @backward(%x: tensor<64xf32>) -> tensor<16x64xf32> {
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c18 = arith.constant 18 : index
  %c19 = arith.constant 19 : index
  %rows = arith.constant dense<0.0> : tensor<16x64xf32>
  %r = scf.for %i = %c3 to %c19 step %c1 iter_args(%t = %rows) -> tensor<16x64xf32> {
    %k = arith.subi %c18, %i : index
    %u = tensor.insert_slice %x into %t[%k, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<16x64xf32>
    scf.yield %u : tensor<16x64xf32>
  }
  return %r : tensor<16x64xf32>
}

// The last row stays zero.
// CHECK-LABEL: func.func @tessera.fn.short
// CHECK: linalg.fill
// CHECK: return
func.func @short(%x: tensor<64xf32>) -> tensor<17x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = arith.constant dense<0.0> : tensor<17x64xf32>
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %rows) -> tensor<17x64xf32> {
    %u = tensor.insert_slice %x into %t[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<17x64xf32>
    scf.yield %u : tensor<17x64xf32>
  }
  return %r : tensor<17x64xf32>
}

// A bound that is reached: row 14 twice, row 15 never.
// CHECK-LABEL: func.func @tessera.fn.clamped
// CHECK: linalg.fill
// CHECK: return
func.func @clamped(%x: tensor<64xf32>) -> tensor<16x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c14 = arith.constant 14 : index
  %rows = arith.constant dense<0.0> : tensor<16x64xf32>
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %rows) -> tensor<16x64xf32> {
    %k = arith.minsi %i, %c14 : index
    %u = tensor.insert_slice %x into %t[%k, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<16x64xf32>
    scf.yield %u : tensor<16x64xf32>
  }
  return %r : tensor<16x64xf32>
}

// What is read.
// CHECK-LABEL: func.func @tessera.fn.read
// CHECK: linalg.fill
// CHECK: return
func.func @read() -> tensor<16x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = arith.constant dense<1.0> : tensor<16x64xf32>
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%t = %rows) -> tensor<16x64xf32> {
    %x = tensor.extract_slice %t[3, 0] [1, 64] [1, 1] : tensor<16x64xf32> to tensor<64xf32>
    %y = arith.addf %x, %x : tensor<64xf32>
    %u = tensor.insert_slice %y into %t[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<16x64xf32>
    scf.yield %u : tensor<16x64xf32>
  }
  return %r : tensor<16x64xf32>
}
