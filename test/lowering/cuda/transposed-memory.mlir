// Memory that is reached through a transposed view alone is where the kernels that use it can reach it.
// REQUIRES: tesserac
// RUN: %tesserac %s --target=cuda --emit=lowered -o - | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.main
// CHECK-NOT: memref.alloc(
// CHECK: llvm.call @tessera_rt_device_allocate
// CHECK-NOT: memref.alloc(
// CHECK: memref.transpose
// CHECK-NOT: memref.alloc(
// CHECK: call @tessera.kernel
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %b = bufferization.to_buffer %x : tensor<4x64xf32> to memref<4x64xf32>
  %m = memref.alloc() : memref<64x4xf32>
  %t = memref.transpose %m (i, j) -> (j, i) : memref<64x4xf32> to memref<4x64xf32, strided<[1, 4]>>
  %o = memref.alloc() : memref<4x64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%b : memref<4x64xf32>) outs(%t : memref<4x64xf32, strided<[1, 4]>>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, -j + 63)>, #id], iterator_types = ["parallel", "parallel"]}
    ins(%t : memref<4x64xf32, strided<[1, 4]>>) outs(%o : memref<4x64xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  }
  %r = bufferization.to_tensor %o restrict : memref<4x64xf32> to tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}
