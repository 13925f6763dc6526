// Sums of rows.
func.func @main(%x: tensor<@ROWS@x@COLS@xf32>) -> tensor<@ROWS@xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<@ROWS@xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<@ROWS@xf32>) -> tensor<@ROWS@xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<@ROWS@x@COLS@xf32>)
      outs(%f : tensor<@ROWS@xf32>) dimensions = [1]
  return %s : tensor<@ROWS@xf32>
}
