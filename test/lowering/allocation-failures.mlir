// An allocation that fails names the rank, the op that the memory is for, its place in the source and
// the bytes, and ends all ranks with one message; nothing is said twice, and nothing stays from an
// allocation that went well.
// REQUIRES: tesserac
// RUN: %tesserac %s -o - --emit=lowered | FileCheck %s
// RUN: %tesserac %s -o %t.so
// RUN: not %tessera_run %t.so --entry filled 2>&1 | FileCheck %s --check-prefix=FILLED --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry multiplied 2>&1 | FileCheck %s --check-prefix=MULTIPLIED --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry shared 2>&1 | FileCheck %s --check-prefix=SHARED --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry large 2>&1 | FileCheck %s --check-prefix=LARGE --implicit-check-not=error:
// RUN: not %tessera_run %t.so --entry negative 2>&1 | FileCheck %s --check-prefix=NEGATIVE --implicit-check-not=error:
// RUN: %tesserac %s -o - --emit=lowered --print-after=allocations 2>&1 | FileCheck %s --check-prefix=NAMES

shard.grid @g(shape = 2)

// CHECK-LABEL: func.func @tessera.fn.filled
// CHECK: %[[SITE:.*]] = llvm.mlir.addressof @tessera.site.
// CHECK-NEXT: llvm.call @tessera_rt_place(%[[SITE]])
// CHECK-NEXT: memref.alloc() : memref<16777216x16777216xf32>
// FILLED: allocation-failures.mlir:[[@LINE+5]]:8: error: 'linalg.fill' on rank {{[01]}}: no memory for a tensor of 1125899906842624 bytes
// FILLED-NOT: error
func.func @filled() -> tensor<16777216x16777216xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<16777216x16777216xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<16777216x16777216xf32>) -> tensor<16777216x16777216xf32>
  return %f : tensor<16777216x16777216xf32>
}

// MULTIPLIED: allocation-failures.mlir:[[@LINE+9]]:8: error: 'linalg.contract' on rank {{[01]}}: no memory for a tensor of 1125899906842624 bytes
func.func @multiplied() -> tensor<16777216x16777216xf32> {
  %one = arith.constant 1.0 : f32
  %ae = tensor.empty() : tensor<16777216x1xf32>
  %be = tensor.empty() : tensor<1x16777216xf32>
  %ce = tensor.empty() : tensor<16777216x16777216xf32>
  %a = linalg.fill ins(%one : f32) outs(%ae : tensor<16777216x1xf32>) -> tensor<16777216x1xf32>
  %b = linalg.fill ins(%one : f32) outs(%be : tensor<1x16777216xf32>) -> tensor<1x16777216xf32>
  %c = linalg.fill ins(%one : f32) outs(%ce : tensor<16777216x16777216xf32>) -> tensor<16777216x16777216xf32>
  %d = linalg.matmul ins(%a, %b : tensor<16777216x1xf32>, tensor<1x16777216xf32>) outs(%c : tensor<16777216x16777216xf32>) -> tensor<16777216x16777216xf32>
  return %d : tensor<16777216x16777216xf32>
}

// Memory that several share is for the one that is largest.
// SHARED: allocation-failures.mlir:[[@LINE+9]]:8: error: 'linalg.contract' on rank {{[01]}}: no memory for a tensor of 112{{[0-9]+}} bytes
func.func @shared() -> tensor<16777216x1xf32> {
  %one = arith.constant 1.0 : f32
  %ae = tensor.empty() : tensor<16777216x1xf32>
  %be = tensor.empty() : tensor<1x16777216xf32>
  %ce = tensor.empty() : tensor<16777216x16777216xf32>
  %a = linalg.fill ins(%one : f32) outs(%ae : tensor<16777216x1xf32>) -> tensor<16777216x1xf32>
  %b = linalg.fill ins(%one : f32) outs(%be : tensor<1x16777216xf32>) -> tensor<1x16777216xf32>
  %c = linalg.fill ins(%one : f32) outs(%ce : tensor<16777216x16777216xf32>) -> tensor<16777216x16777216xf32>
  %d = linalg.matmul ins(%a, %b : tensor<16777216x1xf32>, tensor<1x16777216xf32>) outs(%c : tensor<16777216x16777216xf32>) -> tensor<16777216x16777216xf32>
  %e = linalg.matmul ins(%d, %a : tensor<16777216x16777216xf32>, tensor<16777216x1xf32>) outs(%a : tensor<16777216x1xf32>) -> tensor<16777216x1xf32>
  return %e : tensor<16777216x1xf32>
}

// NAMES-LABEL: func.func @tessera.fn.gathered
// NAMES: memref.alloc() {{.*}}tessera.for = "all_gather"{{.*}} : memref<8xf32>
func.func @gathered(%t: tensor<4xf32>) -> tensor<8xf32> {
  %g = shard.all_gather %t on @g grid_axes = [0] gather_axis = 0 : tensor<4xf32> -> tensor<8xf32>
  return %g : tensor<8xf32>
}

// Extents of the run whose product wraps, or that are negative, are told like memory that is not there.
// LARGE: allocation-failures.mlir:[[@LINE+5]]:8: error: 'linalg.fill' on rank {{[01]}}: a tensor of 1125899906842624 times 16384 bytes, more than can be counted: expected smaller extents
// NEGATIVE: allocation-failures.mlir:[[@LINE+4]]:8: error: 'linalg.fill' on rank {{[01]}}: a tensor of extent -3: expected at least 0
func.func @sized(%n: index) -> tensor<?x4096xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?x4096xf32>
  %r = linalg.fill ins(%one : f32) outs(%e : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}
func.func @large() -> tensor<?x4096xf32> {
  %n = arith.constant 1125899906842624 : index
  %r = call @sized(%n) : (index) -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}
func.func @negative() -> tensor<?x4096xf32> {
  %n = arith.constant -3 : index
  %r = call @sized(%n) : (index) -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}
