// Functions of what is seen to be no number while the program is compiled.
func.func @functions(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %nan = arith.constant dense<0x7FC00000> : tensor<8xf32>
  %x = arith.addf %a, %nan : tensor<8xf32>
  %exp = math.exp %x : tensor<8xf32>
  %expm1 = math.expm1 %x : tensor<8xf32>
  %log = math.log %x : tensor<8xf32>
  %tanh = math.tanh %x : tensor<8xf32>
  %erf = math.erf %x : tensor<8xf32>
  return %exp, %expm1, %log, %tanh, %erf : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
