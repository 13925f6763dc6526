// Collectives take strided memory as it is, and write in place where their input is dead.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

shard.grid @g(shape = 2x2)

// CHECK-LABEL: func.func @tessera.fn.slice
// CHECK: memref.subview
// CHECK: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: call @tessera.call.all_to_all
// CHECK-NOT: linalg
// CHECK: return
func.func @slice(%a: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.extract_slice %a[0, 2] [8, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
  %b = shard.all_to_all %e on @g grid_axes = [0] split_axis = 0 concat_axis = 1
    : tensor<8x4xf32> -> tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @tessera.fn.dead_input
// CHECK: memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: %[[ANY:.*]] = memref.cast
// CHECK: call @tessera.call.all_reduce.1xf32.1xf32(%{{.*}}, %[[ANY]], %[[ANY]])
// CHECK: return
func.func @dead_input(%a: tensor<8xf32>) -> tensor<8xf32> {
  %s = arith.addf %a, %a : tensor<8xf32>
  %r = shard.all_reduce %s on @g grid_axes = [1] : tensor<8xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @tessera.fn.live_input
// CHECK: memref.alloc()
// CHECK-NOT: memref.copy
// CHECK: call @tessera.call.all_reduce
// CHECK-NOT: memref.copy
// CHECK: return
func.func @live_input(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %s = arith.addf %a, %a : tensor<8xf32>
  %r = shard.all_reduce %s on @g grid_axes = [1] : tensor<8xf32> -> tensor<8xf32>
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}

// An argument is never written: its all-reduce goes to fresh memory.
// CHECK-LABEL: func.func @tessera.fn.argument
// CHECK-SAME: (%[[ARG:.*]]: memref<8xf32>)
// CHECK: %[[OUT:.*]] = memref.alloc()
// CHECK-NOT: memref.copy
// CHECK-DAG: %[[FROM:.*]] = memref.cast %[[ARG]]
// CHECK-DAG: %[[TO:.*]] = memref.cast %[[OUT]]
// CHECK: call @tessera.call.all_reduce.1xf32.1xf32(%{{.*}}, %[[FROM]], %[[TO]])
// CHECK: return %[[OUT]]
func.func @argument(%a: tensor<8xf32>) -> tensor<8xf32> {
  %r = shard.all_reduce %a on @g grid_axes = [1] : tensor<8xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @tessera.fn.donated
// CHECK-NOT: memref.alloc
// CHECK: call @tessera.call.all_reduce
func.func @donated(%a: tensor<8xf32> {tessera.donated}) -> tensor<f32> {
  %r = shard.all_reduce %a on @g grid_axes = [1] : tensor<8xf32> -> tensor<8xf32>
  %c0 = arith.constant 0 : index
  %x = tensor.extract %r[%c0] : tensor<8xf32>
  %t = tensor.from_elements %x : tensor<f32>
  return %t : tensor<f32>
}

// Two products that start from the zeros of one reshaped tensor: each has its own, and fills nothing.
// CHECK-LABEL: func.func @tessera.fn.reshaped_fill
// CHECK-NOT: memref.copy
// CHECK-NOT: tessera.kernel
// CHECK: call @tessera.call.gemm
// CHECK-NOT: memref.copy
// CHECK: call @tessera.call.gemm
// CHECK-NOT: memref.copy
// CHECK: return
func.func @reshaped_fill(%a: tensor<3x4x16x8xf32>, %b: tensor<3x4x8x16xf32>, %c: tensor<3x4x8x16xf32>)
    -> (tensor<3x4x16x16xf32>, tensor<3x4x16x16xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x16x16xf32>
  %r = tensor.expand_shape %e [[0, 1], [2], [3]] output_shape [3, 4, 16, 16] : tensor<12x16x16xf32> into tensor<3x4x16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%r : tensor<3x4x16x16xf32>) -> tensor<3x4x16x16xf32>
  %p = linalg.contract indexing_maps = [affine_map<(b, h, i, j, k) -> (b, h, i, k)>,
                                        affine_map<(b, h, i, j, k) -> (b, h, k, j)>,
                                        affine_map<(b, h, i, j, k) -> (b, h, i, j)>]
      ins(%a, %b : tensor<3x4x16x8xf32>, tensor<3x4x8x16xf32>) outs(%f : tensor<3x4x16x16xf32>) -> tensor<3x4x16x16xf32>
  %q = linalg.contract indexing_maps = [affine_map<(b, h, i, j, k) -> (b, h, i, k)>,
                                        affine_map<(b, h, i, j, k) -> (b, h, k, j)>,
                                        affine_map<(b, h, i, j, k) -> (b, h, i, j)>]
      ins(%a, %c : tensor<3x4x16x8xf32>, tensor<3x4x8x16xf32>) outs(%f : tensor<3x4x16x16xf32>) -> tensor<3x4x16x16xf32>
  return %p, %q : tensor<3x4x16x16xf32>, tensor<3x4x16x16xf32>
}
