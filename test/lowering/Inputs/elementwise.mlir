// Elementwise code: fused, in polynomials, reductions in another order, sizes that are no multiple of
// a vector's.
func.func @softmax(%a: tensor<7x37xf32>) -> tensor<7x37xf32> {
  %e = tensor.empty() : tensor<7x37xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<7x37xf32>) outs(%e : tensor<7x37xf32>) -> tensor<7x37xf32>
  return %r : tensor<7x37xf32>
}
func.func @gelu(%a: tensor<5x33xf32>) -> tensor<5x33xf32> {
  %half = arith.constant dense<0.5> : tensor<5x33xf32>
  %one = arith.constant dense<1.0> : tensor<5x33xf32>
  %scale = arith.constant dense<0.70710678> : tensor<5x33xf32>
  %0 = arith.mulf %a, %scale : tensor<5x33xf32>
  %1 = math.erf %0 : tensor<5x33xf32>
  %2 = arith.addf %1, %one : tensor<5x33xf32>
  %3 = arith.mulf %a, %half : tensor<5x33xf32>
  %4 = arith.mulf %3, %2 : tensor<5x33xf32>
  return %4 : tensor<5x33xf32>
}
func.func @functions(%a: tensor<257xf32>) -> (tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>) {
  %0 = math.tanh %a : tensor<257xf32>
  %1 = math.exp %a : tensor<257xf32>
  %2 = math.log %1 : tensor<257xf32>
  %3 = math.sin %a : tensor<257xf32>
  %4 = math.rsqrt %1 : tensor<257xf32>
  %5 = math.sinh %a : tensor<257xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>
}
func.func @tosa(%a: tensor<4x5xf32>, %b: tensor<1x5xf32>) -> (tensor<4x5xf32>, tensor<4x1xf32>) {
  %0 = tosa.sigmoid %a : (tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = tosa.add %0, %b : (tensor<4x5xf32>, tensor<1x5xf32>) -> tensor<4x5xf32>
  %2 = tosa.reduce_sum %1 {axis = 1 : i32} : (tensor<4x5xf32>) -> tensor<4x1xf32>
  return %1, %2 : tensor<4x5xf32>, tensor<4x1xf32>
}
func.func @half(%a: tensor<31xf16>, %b: tensor<32x32xf16>) -> (tensor<31xf16>, tensor<32x32xf32>) {
  %0 = arith.addf %a, %a : tensor<31xf16>
  %1 = math.tanh %0 : tensor<31xf16>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %p = linalg.matmul ins(%b, %b : tensor<32x32xf16>, tensor<32x32xf16>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1, %p : tensor<31xf16>, tensor<32x32xf32>
}
func.func @maximum(%a: tensor<9x41xf32>) -> tensor<9xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %r = linalg.reduce ins(%a : tensor<9x41xf32>) outs(%f : tensor<9xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %s = arith.maximumf %x, %y : f32
      linalg.yield %s : f32
    }
  return %r : tensor<9xf32>
}
func.func @padded(%a: tensor<4x5xf32>) -> tensor<7x8xf32> {
  %z = arith.constant 1.0 : f32
  %p = tensor.pad %a low[1, 2] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x5xf32> to tensor<7x8xf32>
  return %p : tensor<7x8xf32>
}
func.func @joined(%a: tensor<4x5xf32>, %b: tensor<4x3xf32>) -> tensor<4x8xf32> {
  %p = tensor.concat dim(1) %a, %b : (tensor<4x5xf32>, tensor<4x3xf32>) -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}
// A strided copy: no call of a C++ runtime.
func.func @inserted(%a: tensor<8x8xf32>, %b: tensor<4x4xf32>, %i: index) -> tensor<8x8xf32> {
  %r = tensor.insert_slice %b into %a[%i, 2] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
func.func @moved(%a: tensor<4x16xf8E5M2>, %c: tensor<3xcomplex<f32>>) -> (tensor<16x4xf8E5M2>, tensor<3xcomplex<f32>>) {
  %e = tensor.empty() : tensor<16x4xf8E5M2>
  %t = linalg.transpose ins(%a : tensor<4x16xf8E5M2>) outs(%e : tensor<16x4xf8E5M2>) permutation = [1, 0]
  %d = complex.constant [0.0 : f32, 1.0 : f32] : complex<f32>
  %s = tensor.splat %d : tensor<3xcomplex<f32>>
  %f = tensor.empty() : tensor<3xcomplex<f32>>
  %m = linalg.map ins(%c, %s : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) outs(%f : tensor<3xcomplex<f32>>)
    (%x: complex<f32>, %y: complex<f32>, %o: complex<f32>) {
      %p = complex.mul %x, %y : complex<f32>
      linalg.yield %p : complex<f32>
    }
  return %t, %m : tensor<16x4xf8E5M2>, tensor<3xcomplex<f32>>
}
