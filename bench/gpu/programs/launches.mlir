// @TRIPS@ kernels of a thousand elements, one after the other.
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %from = arith.constant 0 : index
  %to = arith.constant @TRIPS@ : index
  %step = arith.constant 1 : index
  %y = scf.for %i = %from to %to step %step iter_args(%a = %x) -> tensor<1024xf32> {
    %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        outs(%a : tensor<1024xf32>) {
    ^bb0(%p: f32):
      %0 = arith.addf %p, %p : f32
      linalg.yield %0 : f32
    } -> tensor<1024xf32>
    scf.yield %b : tensor<1024xf32>
  }
  return %y : tensor<1024xf32>
}
