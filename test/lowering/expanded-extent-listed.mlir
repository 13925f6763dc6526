// An extent that expand_shape lists and its type does not say, of strided memory, in a kernel.
// REQUIRES: tesserac
// RUN: %tesserac %s --oracle -o %t.so
// RUN-CHECK: --seed 1 --shape 0=8x40
#ijk = affine_map<(i, j, k) -> (i, j, k)>
func.func @main(%x: tensor<?x40xf32>) -> tensor<?x2x20xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?x40xf32>
  %s = tensor.extract_slice %x[0, 1][%n, 20][1, 1] : tensor<?x40xf32> to tensor<?x20xf32>
  %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [4, 2, 20] : tensor<?x20xf32> into tensor<?x2x20xf32>
  %o = tensor.empty(%c4) : tensor<?x2x20xf32>
  %r = linalg.generic {indexing_maps = [#ijk, #ijk], iterator_types = ["parallel", "parallel", "parallel"]}
     ins(%e : tensor<?x2x20xf32>) outs(%o : tensor<?x2x20xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 0 : index
    %ii = arith.index_cast %i : index to i32
    %if = arith.sitofp %ii : i32 to f32
    %q = arith.addf %a, %if : f32
    linalg.yield %q : f32
  } -> tensor<?x2x20xf32>
  return %r : tensor<?x2x20xf32>
}
