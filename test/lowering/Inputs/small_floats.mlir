// Each 8-bit format from all its codes (what is no number becomes 12345) and from f32 and f64 to its codes.

func.func @from_f8e4m3fn(%codes: tensor<256xi8>) -> tensor<256xf32> {
  %x = arith.bitcast %codes : tensor<256xi8> to tensor<256xf8E4M3FN>
  %w = arith.extf %x : tensor<256xf8E4M3FN> to tensor<256xf32>
  %no = arith.cmpf uno, %w, %w : tensor<256xf32>
  %c = arith.constant dense<12345.0> : tensor<256xf32>
  %r = arith.select %no, %c, %w : tensor<256xi1>, tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @to_f8e4m3fn(%x: tensor<?xf32>, %y: tensor<?xf64>) -> (tensor<?xi8>, tensor<?xi8>) {
  %a = arith.truncf %x : tensor<?xf32> to tensor<?xf8E4M3FN>
  %b = arith.truncf %y : tensor<?xf64> to tensor<?xf8E4M3FN>
  %r = arith.bitcast %a : tensor<?xf8E4M3FN> to tensor<?xi8>
  %s = arith.bitcast %b : tensor<?xf8E4M3FN> to tensor<?xi8>
  return %r, %s : tensor<?xi8>, tensor<?xi8>
}

func.func @from_f8e5m2(%codes: tensor<256xi8>) -> tensor<256xf32> {
  %x = arith.bitcast %codes : tensor<256xi8> to tensor<256xf8E5M2>
  %w = arith.extf %x : tensor<256xf8E5M2> to tensor<256xf32>
  %no = arith.cmpf uno, %w, %w : tensor<256xf32>
  %c = arith.constant dense<12345.0> : tensor<256xf32>
  %r = arith.select %no, %c, %w : tensor<256xi1>, tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @to_f8e5m2(%x: tensor<?xf32>, %y: tensor<?xf64>) -> (tensor<?xi8>, tensor<?xi8>) {
  %a = arith.truncf %x : tensor<?xf32> to tensor<?xf8E5M2>
  %b = arith.truncf %y : tensor<?xf64> to tensor<?xf8E5M2>
  %r = arith.bitcast %a : tensor<?xf8E5M2> to tensor<?xi8>
  %s = arith.bitcast %b : tensor<?xf8E5M2> to tensor<?xi8>
  return %r, %s : tensor<?xi8>, tensor<?xi8>
}

func.func @from_f8e4m3fnuz(%codes: tensor<256xi8>) -> tensor<256xf32> {
  %x = arith.bitcast %codes : tensor<256xi8> to tensor<256xf8E4M3FNUZ>
  %w = arith.extf %x : tensor<256xf8E4M3FNUZ> to tensor<256xf32>
  %no = arith.cmpf uno, %w, %w : tensor<256xf32>
  %c = arith.constant dense<12345.0> : tensor<256xf32>
  %r = arith.select %no, %c, %w : tensor<256xi1>, tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @to_f8e4m3fnuz(%x: tensor<?xf32>, %y: tensor<?xf64>) -> (tensor<?xi8>, tensor<?xi8>) {
  %a = arith.truncf %x : tensor<?xf32> to tensor<?xf8E4M3FNUZ>
  %b = arith.truncf %y : tensor<?xf64> to tensor<?xf8E4M3FNUZ>
  %r = arith.bitcast %a : tensor<?xf8E4M3FNUZ> to tensor<?xi8>
  %s = arith.bitcast %b : tensor<?xf8E4M3FNUZ> to tensor<?xi8>
  return %r, %s : tensor<?xi8>, tensor<?xi8>
}

func.func @from_f8e5m2fnuz(%codes: tensor<256xi8>) -> tensor<256xf32> {
  %x = arith.bitcast %codes : tensor<256xi8> to tensor<256xf8E5M2FNUZ>
  %w = arith.extf %x : tensor<256xf8E5M2FNUZ> to tensor<256xf32>
  %no = arith.cmpf uno, %w, %w : tensor<256xf32>
  %c = arith.constant dense<12345.0> : tensor<256xf32>
  %r = arith.select %no, %c, %w : tensor<256xi1>, tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @to_f8e5m2fnuz(%x: tensor<?xf32>, %y: tensor<?xf64>) -> (tensor<?xi8>, tensor<?xi8>) {
  %a = arith.truncf %x : tensor<?xf32> to tensor<?xf8E5M2FNUZ>
  %b = arith.truncf %y : tensor<?xf64> to tensor<?xf8E5M2FNUZ>
  %r = arith.bitcast %a : tensor<?xf8E5M2FNUZ> to tensor<?xi8>
  %s = arith.bitcast %b : tensor<?xf8E5M2FNUZ> to tensor<?xi8>
  return %r, %s : tensor<?xi8>, tensor<?xi8>
}

func.func @from_f8e4m3b11fnuz(%codes: tensor<256xi8>) -> tensor<256xf32> {
  %x = arith.bitcast %codes : tensor<256xi8> to tensor<256xf8E4M3B11FNUZ>
  %w = arith.extf %x : tensor<256xf8E4M3B11FNUZ> to tensor<256xf32>
  %no = arith.cmpf uno, %w, %w : tensor<256xf32>
  %c = arith.constant dense<12345.0> : tensor<256xf32>
  %r = arith.select %no, %c, %w : tensor<256xi1>, tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @to_f8e4m3b11fnuz(%x: tensor<?xf32>, %y: tensor<?xf64>) -> (tensor<?xi8>, tensor<?xi8>) {
  %a = arith.truncf %x : tensor<?xf32> to tensor<?xf8E4M3B11FNUZ>
  %b = arith.truncf %y : tensor<?xf64> to tensor<?xf8E4M3B11FNUZ>
  %r = arith.bitcast %a : tensor<?xf8E4M3B11FNUZ> to tensor<?xi8>
  %s = arith.bitcast %b : tensor<?xf8E4M3B11FNUZ> to tensor<?xi8>
  return %r, %s : tensor<?xi8>, tensor<?xi8>
}

func.func @from_f8e4m3(%codes: tensor<256xi8>) -> tensor<256xf32> {
  %x = arith.bitcast %codes : tensor<256xi8> to tensor<256xf8E4M3>
  %w = arith.extf %x : tensor<256xf8E4M3> to tensor<256xf32>
  %no = arith.cmpf uno, %w, %w : tensor<256xf32>
  %c = arith.constant dense<12345.0> : tensor<256xf32>
  %r = arith.select %no, %c, %w : tensor<256xi1>, tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @to_f8e4m3(%x: tensor<?xf32>, %y: tensor<?xf64>) -> (tensor<?xi8>, tensor<?xi8>) {
  %a = arith.truncf %x : tensor<?xf32> to tensor<?xf8E4M3>
  %b = arith.truncf %y : tensor<?xf64> to tensor<?xf8E4M3>
  %r = arith.bitcast %a : tensor<?xf8E4M3> to tensor<?xi8>
  %s = arith.bitcast %b : tensor<?xf8E4M3> to tensor<?xi8>
  return %r, %s : tensor<?xi8>, tensor<?xi8>
}

func.func @from_f8e3m4(%codes: tensor<256xi8>) -> tensor<256xf32> {
  %x = arith.bitcast %codes : tensor<256xi8> to tensor<256xf8E3M4>
  %w = arith.extf %x : tensor<256xf8E3M4> to tensor<256xf32>
  %no = arith.cmpf uno, %w, %w : tensor<256xf32>
  %c = arith.constant dense<12345.0> : tensor<256xf32>
  %r = arith.select %no, %c, %w : tensor<256xi1>, tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @to_f8e3m4(%x: tensor<?xf32>, %y: tensor<?xf64>) -> (tensor<?xi8>, tensor<?xi8>) {
  %a = arith.truncf %x : tensor<?xf32> to tensor<?xf8E3M4>
  %b = arith.truncf %y : tensor<?xf64> to tensor<?xf8E3M4>
  %r = arith.bitcast %a : tensor<?xf8E3M4> to tensor<?xi8>
  %s = arith.bitcast %b : tensor<?xf8E3M4> to tensor<?xi8>
  return %r, %s : tensor<?xi8>, tensor<?xi8>
}
