// The softmax of rows.
func.func @main(%x: tensor<@ROWS@x@COLS@xf32>) -> tensor<@ROWS@x@COLS@xf32> {
  %e = tensor.empty() : tensor<@ROWS@x@COLS@xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<@ROWS@x@COLS@xf32>)
      outs(%e : tensor<@ROWS@x@COLS@xf32>) -> tensor<@ROWS@x@COLS@xf32>
  return %y : tensor<@ROWS@x@COLS@xf32>
}
