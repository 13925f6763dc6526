// Two tensors side by side: strided memory is written.
func.func @main(%x: tensor<@ROWS@x@COLS@xf32>, %y: tensor<@ROWS@x@COLS@xf32>)
    -> tensor<@ROWS@x@COLS2@xf32> {
  %e = tensor.empty() : tensor<@ROWS@x@COLS2@xf32>
  %a = tensor.insert_slice %x into %e[0, 0] [@ROWS@, @COLS@] [1, 1]
      : tensor<@ROWS@x@COLS@xf32> into tensor<@ROWS@x@COLS2@xf32>
  %b = tensor.insert_slice %y into %a[0, @COLS@] [@ROWS@, @COLS@] [1, 1]
      : tensor<@ROWS@x@COLS@xf32> into tensor<@ROWS@x@COLS2@xf32>
  return %b : tensor<@ROWS@x@COLS2@xf32>
}
