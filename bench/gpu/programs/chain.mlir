// Two elementwise ops, which are one kernel: relu of x * y + x, and half of it.
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<@ROWS@x@COLS@xf32>, %y: tensor<@ROWS@x@COLS@xf32>)
    -> tensor<@ROWS@x@COLS@xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<@ROWS@x@COLS@xf32>
  %a = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<@ROWS@x@COLS@xf32>, tensor<@ROWS@x@COLS@xf32>)
      outs(%e : tensor<@ROWS@x@COLS@xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %0, %p : f32
    %2 = arith.maximumf %1, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<@ROWS@x@COLS@xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<@ROWS@x@COLS@xf32>) outs(%e : tensor<@ROWS@x@COLS@xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = arith.mulf %p, %half : f32
    linalg.yield %0 : f32
  } -> tensor<@ROWS@x@COLS@xf32>
  return %b : tensor<@ROWS@x@COLS@xf32>
}
