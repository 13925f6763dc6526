// RUN-CHECK: --atol 1e-9
func.func @main(%a0_1: tensor<4x4xi32>)
    -> (tensor<4xi32>, tensor<4x4xi32>) {
  %k0_2 = arith.constant 0 : index
  %v0_3_i, %v0_3 = scf.while (%i = %k0_2, %u = %a0_1) : (index, tensor<4x4xi32>) -> (index, tensor<4x4xi32>) {
    %more = arith.cmpi ult, %i, %k0_2 : index
    scf.condition(%more) %i, %u : index, tensor<4x4xi32>
  } do {
  ^bb0(%i: index, %v: tensor<4x4xi32>):
    scf.yield %i, %v : index, tensor<4x4xi32>
  }
  %v0_4 = math.absi %v0_3 : tensor<4x4xi32>
  %s0_5 = arith.constant dense<0> : tensor<4xi32>
  %v0_6 = linalg.reduce { arith.minui } ins(%v0_3 : tensor<4x4xi32>) outs(%s0_5 : tensor<4xi32>) dimensions = [1]
  return %v0_6, %v0_4 : tensor<4xi32>, tensor<4x4xi32>
}
