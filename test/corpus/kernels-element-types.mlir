// Rows of complex numbers, bits, indices and small integers and floats that kernels keep between
// their ops, with extents that only the launch knows, or none.
// RUN-CHECK: --grid 1,2,3 --seed 1 --shape 0=7x5 --shape 1=7x5
// RUN-CHECK: --grid 1,2 --seed 2 --shape 0=0x5 --shape 1=0x5
// RUN-CHECK: --grid 1,2 --seed 3 --shape 0=1x0 --shape 1=1x0
shard.grid @g(shape = 2)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<?x?xf32>, %n_in: tensor<?x?xi8>) -> (tensor<?xf32>, tensor<?xi8>, tensor<?x?xi1>, tensor<?xi64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x?xf32>
  %n = shard.shard %n_in to %s : tensor<?x?xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %ce = tensor.empty(%rows) : tensor<?xcomplex<f32>>
  %cf = linalg.fill ins(%zero : complex<f32>) outs(%ce : tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
  %c = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%cf : tensor<?xcomplex<f32>>) {
  ^bb0(%a: f32, %o: complex<f32>):
    %v = complex.create %a, %a : complex<f32>
    %r = complex.add %o, %v : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<?xcomplex<f32>>
  %re = tensor.empty(%rows) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%c : tensor<?xcomplex<f32>>) outs(%re : tensor<?xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %v = complex.im %a : complex<f32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  %least = arith.constant -128 : i8
  %me = tensor.empty(%rows) : tensor<?xi8>
  %mf = linalg.fill ins(%least : i8) outs(%me : tensor<?xi8>) -> tensor<?xi8>
  %m = linalg.reduce { arith.maxsi } ins(%n : tensor<?x?xi8>) outs(%mf : tensor<?xi8>) dimensions = [1]
  %be = tensor.empty(%rows, %columns) : tensor<?x?xi1>
  %b = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%n, %m : tensor<?x?xi8>, tensor<?xi8>) outs(%be : tensor<?x?xi1>) {
  ^bb0(%a: i8, %w: i8, %o: i1):
    %v = arith.cmpi eq, %a, %w : i8
    linalg.yield %v : i1
  } -> tensor<?x?xi1>
  %none = arith.constant 0 : i64
  %ie = tensor.empty(%rows) : tensor<?xi64>
  %if = linalg.fill ins(%none : i64) outs(%ie : tensor<?xi64>) -> tensor<?xi64>
  %i = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<?x?xi1>) outs(%if : tensor<?xi64>) {
  ^bb0(%a: i1, %o: i64):
    %at = linalg.index 1 : index
    %v = arith.index_cast %at : index to i64
    %w = arith.select %a, %v, %o : i64
    linalg.yield %w : i64
  } -> tensor<?xi64>
  return %r, %m, %b, %i : tensor<?xf32>, tensor<?xi8>, tensor<?x?xi1>, tensor<?xi64>
}
