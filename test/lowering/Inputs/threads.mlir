// Loops that are large enough for several threads: rows, columns, elements, and what is moved.
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#j = affine_map<(i, j) -> (j)>
func.func @rows(%x: tensor<600x700xf32>) -> tensor<600x700xf32> {
  %e = tensor.empty() : tensor<600x700xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<600x700xf32>) outs(%e : tensor<600x700xf32>)
    -> tensor<600x700xf32>
  return %r : tensor<600x700xf32>
}
func.func @columns(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#ij, #j], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @elements(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.mulf %a, %a : f32
    %u = arith.addf %t, %b : f32
    linalg.yield %u : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @transposed(%x: tensor<900x510xf64>) -> tensor<510x900xf64> {
  %e = tensor.empty() : tensor<510x900xf64>
  %r = linalg.generic {indexing_maps = [#ji, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<900x510xf64>) outs(%e : tensor<510x900xf64>) {
  ^bb0(%a: f64, %b: f64):
    linalg.yield %a : f64
  } -> tensor<510x900xf64>
  return %r : tensor<510x900xf64>
}
func.func @scattered(%x: tensor<4000x100xf32>, %at: tensor<4000xi16>, %init: tensor<?x100xf32>) -> tensor<?x100xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(v, d, t) -> (t, d)>, affine_map<(v, d, t) -> (t)>, affine_map<(v, d, t) -> (v, d)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %at : tensor<4000x100xf32>, tensor<4000xi16>) outs(%init : tensor<?x100xf32>) {
  ^bb0(%u: f32, %p: i16, %o: f32):
    %v = linalg.index 0 : index
    %w = arith.index_cast %v : index to i16
    %c = arith.cmpi eq, %w, %p : i16
    %s = arith.addf %o, %u : f32
    %m = arith.select %c, %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<?x100xf32>
  return %r : tensor<?x100xf32>
}
