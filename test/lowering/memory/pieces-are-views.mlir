// A device's even piece of what every device has is a view at its place: neither a call nor a copy,
// if nobody writes it. Sizes that only the launch knows are for the runtime.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

shard.grid @g(shape = 2x3)
shard.grid @open(shape = ?)

// CHECK-LABEL: func.func @tessera.fn.product
// CHECK-NOT: all_slice
// CHECK-NOT: memref.copy
// CHECK: memref.subview %arg0[%{{.*}}, 0] [2, 64] [1, 1] : memref<12x64xf32>
// CHECK-NOT: all_slice
// CHECK-NOT: memref.copy
// CHECK: call @tessera.call.gemm
// CHECK-NOT: all_slice
// CHECK: return
func.func @product(%a: tensor<12x64xf32>, %b: tensor<64x64xf32>) -> tensor<2x64xf32> {
  %p = shard.all_slice %a on @g grid_axes = [1, 0] slice_axis = 0 : tensor<12x64xf32> -> tensor<2x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64xf32>) -> tensor<2x64xf32>
  %r = linalg.matmul ins(%p, %b : tensor<2x64xf32>, tensor<64x64xf32>) outs(%f : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %r : tensor<2x64xf32>
}

// What is gathered is read where it is.
// CHECK-LABEL: func.func @tessera.fn.gathered
// CHECK: call @tessera.call.all_gather
// CHECK-NOT: all_slice
// CHECK-NOT: memref.copy
// CHECK: call @tessera.kernel
// CHECK: return
func.func @gathered(%a: tensor<6x9xf32>) -> tensor<12x3xf32> {
  %w = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<6x9xf32> -> tensor<12x9xf32>
  %p = shard.all_slice %w on @g grid_axes = [1] slice_axis = 1 : tensor<12x9xf32> -> tensor<12x3xf32>
  %r = math.exp %p : tensor<12x3xf32>
  return %r : tensor<12x3xf32>
}

// CHECK-LABEL: func.func @tessera.fn.unknown
// CHECK: call @tessera.call.all_slice
// CHECK: return
func.func @unknown(%a: tensor<12x9xf32>) -> tensor<?x9xf32> {
  %p = shard.all_slice %a on @open grid_axes = [0] slice_axis = 0 : tensor<12x9xf32> -> tensor<?x9xf32>
  return %p : tensor<?x9xf32>
}
