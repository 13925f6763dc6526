// Kinds of floats, whole powers, bits taken for other types, and scaled integers.
func.func @kinds(%x: tensor<8xf32>) -> (tensor<8xi1>, tensor<8xi1>, tensor<8xf32>) {
  %huge = arith.constant dense<[1.0, 0.0, 1.0e38, -1.0e38, 1.0e-38, 1.0e38, 1.0e-39, 0x7FC00000]>
      : tensor<8xf32>
  %ten = arith.constant dense<100.0> : tensor<8xf32>
  %y = arith.mulf %huge, %ten : tensor<8xf32>
  %infinite = math.isinf %y : tensor<8xf32>
  %normal = math.isnormal %huge : tensor<8xf32>
  %low = arith.constant dense<-0.5> : tensor<8xf32>
  %high = arith.constant dense<0.25> : tensor<8xf32>
  %between = math.clampf %x to [%low, %high] : tensor<8xf32>
  return %infinite, %normal, %between : tensor<8xi1>, tensor<8xi1>, tensor<8xf32>
}

func.func @powers(%x: tensor<8xi32>, %n: tensor<8xi32>) -> tensor<8xi32> {
  %y = math.ipowi %x, %n : tensor<8xi32>
  return %y : tensor<8xi32>
}

func.func @bits(%x: tensor<8xf32>, %z: tensor<8xi64>) -> (tensor<8xi32>, tensor<8xi64>) {
  %a = tensor.bitcast %x : tensor<8xf32> to tensor<8xi32>
  %e = tensor.empty() : tensor<8xi64>
  %b = linalg.map ins(%z : tensor<8xi64>) outs(%e : tensor<8xi64>) (%in: i64, %old: i64) {
    %c = complex.bitcast %in : i64 to complex<f32>
    %m = complex.neg %c : complex<f32>
    %r = complex.bitcast %m : complex<f32> to i64
    linalg.yield %r : i64
  }
  return %a, %b : tensor<8xi32>, tensor<8xi64>
}

func.func @rescaled(%x: tensor<4x3xi32>) -> (tensor<4x3xi8>, tensor<4x3xi8>) {
  %m = "tosa.const"() {values = dense<1073741824> : tensor<1xi32>} : () -> tensor<1xi32>
  %s = "tosa.const"() {values = dense<32> : tensor<1xi8>} : () -> tensor<1xi8>
  %iz = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %oz = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %single = tosa.rescale %x, %m, %s, %iz, %oz {scale32 = true, rounding_mode = SINGLE_ROUND,
      per_channel = false, input_unsigned = false, output_unsigned = false}
      : (tensor<4x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x3xi8>
  %double = tosa.rescale %x, %m, %s, %iz, %oz {scale32 = true, rounding_mode = DOUBLE_ROUND,
      per_channel = false, input_unsigned = false, output_unsigned = false}
      : (tensor<4x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x3xi8>
  return %single, %double : tensor<4x3xi8>, tensor<4x3xi8>
}
