// A product in bf16.
func.func @main(%a: tensor<@TOKENS@x@MODEL@xbf16>, %b: tensor<@MODEL@x@HIDDEN@xbf16>)
    -> tensor<@TOKENS@x@HIDDEN@xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<@TOKENS@x@HIDDEN@xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<@TOKENS@x@HIDDEN@xbf16>)
      -> tensor<@TOKENS@x@HIDDEN@xbf16>
  %c = linalg.matmul ins(%a, %b : tensor<@TOKENS@x@MODEL@xbf16>, tensor<@MODEL@x@HIDDEN@xbf16>)
      outs(%f : tensor<@TOKENS@x@HIDDEN@xbf16>) -> tensor<@TOKENS@x@HIDDEN@xbf16>
  return %c : tensor<@TOKENS@x@HIDDEN@xbf16>
}
