// A bias and a residual behind a product are added by the product's call, on the GPU alone, in the place
// of what added them; not where sums of floats keep their order, nor where something else reads the
// product.
// REQUIRES: tesserac
// RUN: %tesserac %s --target=cuda --emit=lowered -o - | FileCheck %s
// RUN: %tesserac %s --target=cuda --emit=lowered --pass-option=tessera-lower.reassociate=false -o - \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: %tesserac %s --emit=lowered -o - | FileCheck %s --check-prefix=NONE
// CHECK: func @tessera.fn.sums
// CHECK-COUNT-1: call @tessera_rt_device_allocate
// CHECK: call @tessera.call.gemm_plus.2xf32.2xf32.2xf32.2xf32.1xf32
// CHECK-NOT: call @
// CHECK: return
// CHECK: func @tessera.fn.read
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: return
// The residual's memory, which ends there, is added to, unless the product reads it.
// CHECK: func @tessera.fn.ends
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: call @tessera.
// CHECK: func @tessera.fn.ends_with_bias
// CHECK: call @tessera.call.gemm_plus.2xf32.2xf32.2xf32.2xf32.1xf32({{%[0-9]+, %[a-z0-9_]+, %[a-z0-9_]+}}, [[R:%[a-z0-9_]+]], [[R]],
// CHECK-NOT: call @tessera.kernel
// CHECK: func @tessera.fn.multiplied
// CHECK: call @tessera.kernel
// CHECK: call @tessera.call.gemm
// CHECK: call @tessera.kernel
// NONE-NOT: gemm_plus
// NONE: call @tessera.call.gemm.
// NONE-NOT: gemm_plus
#m = affine_map<(i, j) -> (i, j)>
#c = affine_map<(i, j) -> (j)>
shard.grid @g(shape = 1)
func.func @sums(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>, %bias: tensor<48xf32>, %rest: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #c, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias, %rest : tensor<64x48xf32>, tensor<48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %i2: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    %u = arith.addf %t, %i2 : f32
    linalg.yield %u : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @read(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>, %rest: tensor<64x48xf32>) -> (tensor<64x48xf32>, tensor<64x48xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.add ins(%p, %rest : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %p, %y : tensor<64x48xf32>, tensor<64x48xf32>
}

func.func @ends(%x: tensor<2048x48xf32>, %w: tensor<48x48xf32>, %bias: tensor<48xf32>) -> tensor<2048x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2048x48xf32>) -> tensor<2048x48xf32>
  %r = math.sin %x : tensor<2048x48xf32>
  %h = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%r, %x : tensor<2048x48xf32>, tensor<2048x48xf32>) outs(%e : tensor<2048x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.mulf %i0, %i1 : f32
    linalg.yield %t : f32
  } -> tensor<2048x48xf32>
  %p = linalg.matmul ins(%h, %w : tensor<2048x48xf32>, tensor<48x48xf32>) outs(%f : tensor<2048x48xf32>) -> tensor<2048x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%r, %p : tensor<2048x48xf32>, tensor<2048x48xf32>) outs(%e : tensor<2048x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    linalg.yield %t : f32
  } -> tensor<2048x48xf32>
  return %y : tensor<2048x48xf32>
}

func.func @ends_with_bias(%x: tensor<2048x48xf32>, %w: tensor<48x48xf32>, %bias: tensor<48xf32>) -> tensor<2048x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2048x48xf32>) -> tensor<2048x48xf32>
  %r = math.sin %x : tensor<2048x48xf32>
  %h = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%r, %x : tensor<2048x48xf32>, tensor<2048x48xf32>) outs(%e : tensor<2048x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.mulf %i0, %i1 : f32
    linalg.yield %t : f32
  } -> tensor<2048x48xf32>
  %p = linalg.matmul ins(%h, %w : tensor<2048x48xf32>, tensor<48x48xf32>) outs(%f : tensor<2048x48xf32>) -> tensor<2048x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m, #c, #m], iterator_types = ["parallel", "parallel"]}
      ins(%r, %p, %bias : tensor<2048x48xf32>, tensor<2048x48xf32>, tensor<48xf32>) outs(%e : tensor<2048x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %i2: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    %u = arith.addf %t, %i2 : f32
    linalg.yield %u : f32
  } -> tensor<2048x48xf32>
  return %y : tensor<2048x48xf32>
}

func.func @multiplied(%x: tensor<2048x48xf32>, %w: tensor<48x48xf32>, %bias: tensor<48xf32>) -> tensor<2048x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2048x48xf32>) -> tensor<2048x48xf32>
  %r = math.sin %x : tensor<2048x48xf32>
  %p = linalg.matmul ins(%r, %w : tensor<2048x48xf32>, tensor<48x48xf32>) outs(%f : tensor<2048x48xf32>) -> tensor<2048x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%r, %p : tensor<2048x48xf32>, tensor<2048x48xf32>) outs(%e : tensor<2048x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    linalg.yield %t : f32
  } -> tensor<2048x48xf32>
  return %y : tensor<2048x48xf32>
}
