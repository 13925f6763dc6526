// Functions of the source get names that no library has: @erf here is not the erf that math.erf is lowered
// to, nor are the others what libtessera, the record or the C library call so. The record has the names of
// the source.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s
// RUN: %tesserac %s --emit=llvm -o - | FileCheck %s --check-prefix=LLVM
// REQUIRES: tesserac

// LLVM-DAG: define internal double @tessera.fn.erf(double
// LLVM-DAG: declare double @erf(double)
// LLVM-DAG: call double @erf(
// LLVM-DAG: call double @tessera.fn.erf(

// CHECK: func.func private @tessera.fn.erf(
func.func private @erf(%x: f64) -> f64 {
  %r = arith.addf %x, %x : f64
  return %r : f64
}
// Public ones too, and names that look like ours.
// CHECK: func.func @tessera.fn.free(
func.func @free(%x: f64) -> f64 {
  // CHECK: call @tessera.fn.tessera.fn.erf
  %r = func.call @tessera.fn.erf(%x) : (f64) -> f64
  return %r : f64
}
// CHECK: func.func private @tessera.fn.tessera.fn.erf(
func.func private @tessera.fn.erf(%x: f64) -> f64 {
  %r = arith.mulf %x, %x : f64
  return %r : f64
}
// CHECK: func.func @tessera.fn.main(
func.func @main(%a: tensor<8xf64>, %k: f64) -> (tensor<8xf64>, f64) {
  %r = math.erf %a : tensor<8xf64>
  // CHECK: call @tessera.fn.erf
  %q = func.call @erf(%k) : (f64) -> f64
  return %r, %q : tensor<8xf64>, f64
}
// CHECK: llvm.func internal @tessera.entry.free
// CHECK-DAG: llvm.mlir.global internal constant @tessera.data.{{[0-9]+}}("main\00")
// CHECK-DAG: llvm.mlir.global internal constant @tessera.data.{{[0-9]+}}("free\00")
