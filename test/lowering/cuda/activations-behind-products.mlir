// A relu or a gelu of what comes out of a product, however it is spelled, is part of the product's call on a
// GPU, where that means the same: not what is nearly one, what is rounded between, what something else reads
// before it, or a part of it. Options keep NaN for NaN, and functions as exact as they were.
// REQUIRES: tesserac
// RUN: %tesserac %s --target=cuda --emit=lowered -o - | FileCheck %s
// RUN: %tesserac %s --target=cuda --emit=lowered --pass-option=tessera-lower.lose-nan=false -o - \
// RUN:   | FileCheck %s --check-prefix=NAN
// RUN: %tesserac %s --target=cuda --emit=lowered --pass-option=tessera-lower.approximate-math=false -o - \
// RUN:   | FileCheck %s --check-prefix=EXACT
// RUN: %tesserac %s --emit=lowered -o - | FileCheck %s --check-prefix=CPU
// CPU-NOT: gemm_plus
// CHECK-LABEL: func.func @tessera.fn.maximum(
// CHECK-NOT: call @tessera.kernel
// CHECK: call @tessera.call.gemm_plus.
// CHECK-NOT: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.selected(
// CHECK-NOT: call @tessera.kernel
// CHECK: call @tessera.call.gemm_plus.
// CHECK-NOT: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.gelu(
// CHECK-NOT: call @tessera.kernel
// CHECK: call @tessera.call.gemm_plus.
// CHECK-NOT: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.gelu_of_sum(
// CHECK-NOT: call @tessera.kernel
// CHECK: call @tessera.call.gemm_plus.
// CHECK-NOT: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.regrouped(
// CHECK-NOT: call @tessera.kernel
// CHECK: call @tessera.call.gemm_plus.
// CHECK-NOT: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.powers(
// CHECK-NOT: call @tessera.kernel
// CHECK: call @tessera.call.gemm_plus.
// CHECK-NOT: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.half(
// CHECK-NOT: call @tessera.kernel
// CHECK: call @tessera.call.gemm_plus.
// CHECK-NOT: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.ordered(
// CHECK-NOT: call @tessera.kernel
// CHECK: call @tessera.call.gemm_plus.
// CHECK-NOT: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.relu6(
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.leaky(
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.minimum(
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.erf(
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.rounded_cubic(
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.rounded_scale(
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.of_part(
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.narrowed(
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.double(
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.kernel
// CHECK-LABEL: func.func @tessera.fn.read(
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.kernel
// The product itself comes out transposed.
// CHECK-LABEL: func.func @tessera.fn.transposed(
// CHECK-NOT: call @tessera.kernel
// CHECK: call @tessera.call.gemm_plus.
// CHECK-NOT: call @tessera.kernel
// NAN-LABEL: func.func @tessera.fn.maximum(
// NAN: call @tessera.call.gemm.
// NAN-LABEL: func.func @tessera.fn.selected(
// NAN: call @tessera.call.gemm.
// NAN-LABEL: func.func @tessera.fn.ordered(
// NAN: call @tessera.call.gemm.
// EXACT-LABEL: func.func @tessera.fn.maximum(
// EXACT: call @tessera.call.gemm_plus.
// EXACT-LABEL: func.func @tessera.fn.gelu(
// EXACT: call @tessera.call.gemm.
// CHECK-LABEL: func.func @tessera.fn.sliced(
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.call.gemm.
// CHECK-NOT: gemm_plus
// CHECK: call @tessera.kernel
#m = affine_map<(i, j) -> (i, j)>
#c = affine_map<(i, j) -> (j)>
shard.grid @g(shape = 1)
func.func @maximum(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.maximumf %z, %i0 : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @selected(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>, %bias: tensor<48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #c, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<64x48xf32>, tensor<48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %s = arith.addf %i0, %i1 : f32
    %u = arith.cmpf ugt, %s, %z : f32
    %r = arith.select %u, %s, %z : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @gelu(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %scale = arith.constant 0.797884583 : f32
    %cubic = arith.constant 4.471500e-02 : f32
    %a = arith.mulf %i0, %i0 : f32
    %b = arith.mulf %a, %i0 : f32
    %c = arith.mulf %b, %cubic : f32
    %d = arith.addf %i0, %c : f32
    %g = arith.mulf %d, %scale : f32
    %h = math.tanh %g : f32
    %k = arith.addf %h, %one : f32
    %l = arith.mulf %i0, %half : f32
    %r = arith.mulf %l, %k : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @gelu_of_sum(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>, %bias: tensor<48xf32>, %rest: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #c, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias, %rest : tensor<64x48xf32>, tensor<48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %i2: f32, %o: f32):
    %s = arith.addf %i0, %i1 : f32
    %t = arith.addf %s, %i2 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %scale = arith.constant 0.797884583 : f32
    %cubic = arith.constant 4.471500e-02 : f32
    %a = arith.mulf %t, %t : f32
    %b = arith.mulf %a, %t : f32
    %c = arith.mulf %b, %cubic : f32
    %d = arith.addf %t, %c : f32
    %g = arith.mulf %d, %scale : f32
    %h = math.tanh %g : f32
    %k = arith.addf %h, %one : f32
    %l = arith.mulf %t, %half : f32
    %r = arith.mulf %l, %k : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @regrouped(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %half = arith.constant -0.5 : f32
    %one = arith.constant 1.0 : f32
    %both = arith.constant 0.0356774081 : f32
    %scale = arith.constant 0.797884583 : f32
    %a = math.fma %i0, %i0, %z : f32
    %c = arith.mulf %both, %a : f32
    %d = arith.addf %scale, %c : f32
    %n = arith.negf %i0 : f32
    %g = arith.mulf %d, %n : f32
    %h = math.tanh %g : f32
    %k = arith.subf %h, %one : f32
    %l = arith.mulf %k, %i0 : f32
    %r = arith.mulf %half, %l : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @powers(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %two = arith.constant 2.0 : f32
    %pi = arith.constant 3.14159274 : f32
    %three = arith.constant 3.0 : f32
    %one = arith.constant 1.0 : f32
    %cubic = arith.constant 4.471500e-02 : f32
    %q = arith.divf %two, %pi : f32
    %scale = math.sqrt %q : f32
    %a = math.powf %i0, %three : f32
    %c = arith.mulf %cubic, %a : f32
    %d = arith.addf %i0, %c : f32
    %g = arith.mulf %scale, %d : f32
    %h = math.tanh %g : f32
    %k = arith.addf %one, %h : f32
    %l = arith.mulf %i0, %k : f32
    %r = arith.divf %l, %two : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @half(%x: tensor<64x32xbf16>, %w: tensor<32x48xbf16>) -> tensor<64x48xbf16> {
  %z = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<64x48xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<64x48xbf16>) -> tensor<64x48xbf16>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xbf16>, tensor<32x48xbf16>) outs(%f : tensor<64x48xbf16>) -> tensor<64x48xbf16>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xbf16>) outs(%e : tensor<64x48xbf16>) {
  ^bb0(%i0: bf16, %o: bf16):
    %v = arith.extf %i0 : bf16 to f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %scale = arith.constant 0.797884583 : f32
    %cubic = arith.constant 4.471500e-02 : f32
    %a = arith.mulf %v, %v : f32
    %b = arith.mulf %a, %v : f32
    %c = arith.mulf %b, %cubic : f32
    %d = arith.addf %v, %c : f32
    %g = arith.mulf %d, %scale : f32
    %h = math.tanh %g : f32
    %k = arith.addf %h, %one : f32
    %l = arith.mulf %v, %half : f32
    %r = arith.mulf %l, %k : f32
    %n = arith.truncf %r : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<64x48xbf16>
  return %y : tensor<64x48xbf16>
}

func.func @ordered(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %u = arith.cmpf ule, %i0, %z : f32
    %r = arith.select %u, %z, %i0 : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @relu6(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %six = arith.constant 6.0 : f32
    %a = arith.maximumf %i0, %z : f32
    %r = arith.minimumf %a, %six : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @leaky(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %k = arith.constant 0.01 : f32
    %u = arith.cmpf ogt, %i0, %z : f32
    %s = arith.mulf %i0, %k : f32
    %r = arith.select %u, %i0, %s : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @minimum(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %u = arith.cmpf olt, %i0, %z : f32
    %r = arith.select %u, %i0, %z : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @erf(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %root = arith.constant 0.707106769 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %a = arith.mulf %i0, %root : f32
    %h = math.erf %a : f32
    %k = arith.addf %h, %one : f32
    %l = arith.mulf %i0, %half : f32
    %r = arith.mulf %l, %k : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @rounded_cubic(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %scale = arith.constant 0.797884583 : f32
    %cubic = arith.constant 4.470000e-02 : f32
    %a = arith.mulf %i0, %i0 : f32
    %b = arith.mulf %a, %i0 : f32
    %c = arith.mulf %b, %cubic : f32
    %d = arith.addf %i0, %c : f32
    %g = arith.mulf %d, %scale : f32
    %h = math.tanh %g : f32
    %k = arith.addf %h, %one : f32
    %l = arith.mulf %i0, %half : f32
    %r = arith.mulf %l, %k : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @rounded_scale(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %scale = arith.constant 0.797880 : f32
    %cubic = arith.constant 4.471500e-02 : f32
    %a = arith.mulf %i0, %i0 : f32
    %b = arith.mulf %a, %i0 : f32
    %c = arith.mulf %b, %cubic : f32
    %d = arith.addf %i0, %c : f32
    %g = arith.mulf %d, %scale : f32
    %h = math.tanh %g : f32
    %k = arith.addf %h, %one : f32
    %l = arith.mulf %i0, %half : f32
    %r = arith.mulf %l, %k : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @of_part(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>, %bias: tensor<48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #c, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<64x48xf32>, tensor<48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %scale = arith.constant 0.797884583 : f32
    %cubic = arith.constant 4.471500e-02 : f32
    %a = arith.mulf %i0, %i0 : f32
    %b = arith.mulf %a, %i0 : f32
    %c = arith.mulf %b, %cubic : f32
    %d = arith.addf %i0, %c : f32
    %g = arith.mulf %d, %scale : f32
    %h = math.tanh %g : f32
    %k = arith.addf %h, %one : f32
    %l = arith.mulf %i0, %half : f32
    %r = arith.mulf %l, %k : f32
    %t = arith.addf %r, %i1 : f32
    linalg.yield %t : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @narrowed(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %n = arith.truncf %i0 : f32 to bf16
    %v = arith.extf %n : bf16 to f32
    %r = arith.maximumf %v, %z : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %y : tensor<64x48xf32>
}

func.func @double(%x: tensor<64x32xf64>, %w: tensor<32x48xf64>) -> tensor<64x48xf64> {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<64x48xf64>
  %f = linalg.fill ins(%z : f64) outs(%e : tensor<64x48xf64>) -> tensor<64x48xf64>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf64>, tensor<32x48xf64>) outs(%f : tensor<64x48xf64>) -> tensor<64x48xf64>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf64>) outs(%e : tensor<64x48xf64>) {
  ^bb0(%i0: f64, %o: f64):
    %r = arith.maximumf %i0, %z : f64
    linalg.yield %r : f64
  } -> tensor<64x48xf64>
  return %y : tensor<64x48xf64>
}

func.func @read(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> (tensor<64x48xf32>, tensor<64x48xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.maximumf %i0, %z : f32
    linalg.yield %r : f32
  } -> tensor<64x48xf32>
  return %p, %y : tensor<64x48xf32>, tensor<64x48xf32>
}

func.func @transposed(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> tensor<48x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %t = tensor.empty() : tensor<48x64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x48xf32>) outs(%t : tensor<48x64xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.maximumf %i0, %z : f32
    linalg.yield %r : f32
  } -> tensor<48x64xf32>
  return %y : tensor<48x64xf32>
}

func.func @sliced(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>) -> (tensor<32x48xf32>, tensor<64x48xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
  %s = tensor.extract_slice %p[16, 0] [32, 48] [1, 1] : tensor<64x48xf32> to tensor<32x48xf32>
  %t = tensor.empty() : tensor<32x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<32x48xf32>) outs(%t : tensor<32x48xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %r = arith.maximumf %i0, %z : f32
    linalg.yield %r : f32
  } -> tensor<32x48xf32>
  return %y, %p : tensor<32x48xf32>, tensor<64x48xf32>
}
