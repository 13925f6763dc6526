// Reductions that are done in parts: of many rows, of rows of few elements, of few long rows.
#rc = affine_map<(r, c) -> (r, c)>
#c = affine_map<(r, c) -> (c)>
func.func @tall(%x: tensor<20011x96xf32>) -> tensor<96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96xf32>) -> tensor<96xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<20011x96xf32>) outs(%f : tensor<96xf32>) dimensions = [0]
  return %s : tensor<96xf32>
}
func.func @narrow(%x: tensor<100003x7xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<100003x7xf32>) outs(%init : tensor<7xf32>) dimensions = [0]
  return %s : tensor<7xf32>
}
func.func @middle(%x: tensor<3x5000x20xf32>) -> tensor<3x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x20xf32>) -> tensor<3x20xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<3x5000x20xf32>) outs(%f : tensor<3x20xf32>) dimensions = [1]
  return %s : tensor<3x20xf32>
}
// None of the three is long by itself.
func.func @several(%x: tensor<40x30x50x12xf32>) -> tensor<12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<40x30x50x12xf32>) outs(%f : tensor<12xf32>) dimensions = [0, 1, 2]
  return %s : tensor<12xf32>
}
// Reductions on both sides of what is kept.
func.func @channels(%x: tensor<1000x5x7x7xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<1000x5x7x7xf32>) outs(%f : tensor<5xf32>) dimensions = [0, 2, 3]
  return %s : tensor<5xf32>
}
func.func @all(%x: tensor<1000x1501xf32>, %init: tensor<f32>) -> tensor<f32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<1000x1501xf32>) outs(%init : tensor<f32>) dimensions = [0, 1]
  return %s : tensor<f32>
}
func.func @long_rows(%x: tensor<3x100003xf32>) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<3x100003xf32>) outs(%f : tensor<3xf32>) dimensions = [1]
  return %s : tensor<3xf32>
}
// Products of halves, added up in f32.
func.func @halves(%x: tensor<9001x9xf16>, %y: tensor<9001x9xf16>) -> tensor<9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %s = linalg.generic {indexing_maps = [#rc, #rc, #c], iterator_types = ["reduction", "parallel"]}
      ins(%x, %y : tensor<9001x9xf16>, tensor<9001x9xf16>) outs(%f : tensor<9xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %v = arith.extf %a : f16 to f32
    %w = arith.extf %b : f16 to f32
    %p = arith.mulf %v, %w : f32
    %n = arith.addf %o, %p : f32
    linalg.yield %n : f32
  } -> tensor<9xf32>
  return %s : tensor<9xf32>
}
// Two results of one op, each with an initial value of its own.
func.func @extrema(%x: tensor<5003x3xf32>, %low: tensor<3xf32>, %high: tensor<3xf32>)
    -> (tensor<3xf32>, tensor<3xf32>) {
  %s:2 = linalg.generic {indexing_maps = [#rc, #c, #c], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<5003x3xf32>) outs(%low, %high : tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %l: f32, %h: f32):
    %m = arith.minimumf %l, %a : f32
    %n = arith.maximumf %a, %h : f32
    linalg.yield %m, %n : f32, f32
  } -> (tensor<3xf32>, tensor<3xf32>)
  return %s#0, %s#1 : tensor<3xf32>, tensor<3xf32>
}
