func.func @main(%w: tensor<4x3xf32> {tessera.donated}, %m: tensor<3xf32> {tessera.donated}, %g: tensor<4x3xf32>)
    -> (tensor<4x3xf32>, tensor<3xf32>, tensor<4x3xf32>) {
  %u = arith.subf %w, %g : tensor<4x3xf32>
  return %u, %m, %u : tensor<4x3xf32>, tensor<3xf32>, tensor<4x3xf32>
}
