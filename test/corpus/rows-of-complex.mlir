// Rows of complex numbers that are combined and gone through again, as long as no number of threads divides.
// RUN-CHECK: --grid 2
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<6x101xcomplex<f32>>) -> (tensor<6x101xf32>, tensor<6xf32>) {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x101xcomplex<f32>>
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<6xf32>
  %all = tensor.empty() : tensor<6x101xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%rows : tensor<6xf32>) -> tensor<6xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x101xcomplex<f32>>) outs(%zeros : tensor<6xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %re = complex.re %a : complex<f32>
    %im = complex.im %a : complex<f32>
    %r2 = arith.mulf %re, %re : f32
    %i2 = arith.mulf %im, %im : f32
    %n = arith.addf %r2, %i2 : f32
    %t = arith.addf %n, %o : f32
    linalg.yield %t : f32
  } -> tensor<6xf32>
  %y = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<6x101xcomplex<f32>>, tensor<6xf32>) outs(%all : tensor<6x101xf32>) {
  ^bb0(%a: complex<f32>, %n: f32, %o: f32):
    %re = complex.re %a : complex<f32>
    %q = arith.divf %re, %n : f32
    linalg.yield %q : f32
  } -> tensor<6x101xf32>
  return %y, %sum : tensor<6x101xf32>, tensor<6xf32>
}
