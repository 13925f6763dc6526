// In bf16: two elementwise ops, which are one kernel: relu of x * y + x, and half of it.
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<@ROWS@x@COLS@xbf16>, %y: tensor<@ROWS@x@COLS@xbf16>)
    -> tensor<@ROWS@x@COLS@xbf16> {
  %zero = arith.constant 0.0 : bf16
  %half = arith.constant 0.5 : bf16
  %e = tensor.empty() : tensor<@ROWS@x@COLS@xbf16>
  %a = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<@ROWS@x@COLS@xbf16>, tensor<@ROWS@x@COLS@xbf16>)
      outs(%e : tensor<@ROWS@x@COLS@xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %o: bf16):
    %0 = arith.mulf %p, %q : bf16
    %1 = arith.addf %0, %p : bf16
    %2 = arith.maximumf %1, %zero : bf16
    linalg.yield %2 : bf16
  } -> tensor<@ROWS@x@COLS@xbf16>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<@ROWS@x@COLS@xbf16>) outs(%e : tensor<@ROWS@x@COLS@xbf16>) {
  ^bb0(%p: bf16, %o: bf16):
    %0 = arith.mulf %p, %half : bf16
    linalg.yield %0 : bf16
  } -> tensor<@ROWS@x@COLS@xbf16>
  return %b : tensor<@ROWS@x@COLS@xbf16>
}
