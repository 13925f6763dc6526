// A heat step as slices and an insertion, of a field whose extents only the launch knows: fewer rows than devices too.
// RUN-CHECK: --shape 0=9x7 --grid 1,2,3,4
// RUN-CHECK: --shape 0=16x5 --grid 4,8 --seed 2
// RUN-CHECK: --shape 0=3x3 --grid 4 --seed 3
shard.grid @g(shape = 4)
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%u_in: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %u0 = shard.shard %u_in to %s : tensor<?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %q = arith.constant 0.25 : f64
  %n = tensor.dim %u0, %c0 : tensor<?x?xf64>
  %m = tensor.dim %u0, %c1 : tensor<?x?xf64>
  %ni = arith.subi %n, %c2 : index
  %mi = arith.subi %m, %c2 : index
  %res = scf.for %t = %c0 to %c5 step %c1 iter_args(%u = %u0) -> tensor<?x?xf64> {
    %up = tensor.extract_slice %u[0, 1][%ni, %mi][1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
    %down = tensor.extract_slice %u[2, 1][%ni, %mi][1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
    %left = tensor.extract_slice %u[1, 0][%ni, %mi][1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
    %right = tensor.extract_slice %u[1, 2][%ni, %mi][1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
    %e = tensor.empty(%ni, %mi) : tensor<?x?xf64>
    %r = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%up, %down, %left, %right : tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
        outs(%e : tensor<?x?xf64>) {
    ^bb0(%a: f64, %b: f64, %c: f64, %d: f64, %o: f64):
      %x = arith.addf %a, %b : f64
      %y = arith.addf %c, %d : f64
      %z = arith.addf %x, %y : f64
      %w = arith.mulf %z, %q : f64
      linalg.yield %w : f64
    } -> tensor<?x?xf64>
    %v = tensor.insert_slice %r into %u[1, 1][%ni, %mi][1, 1] : tensor<?x?xf64> into tensor<?x?xf64>
    scf.yield %v : tensor<?x?xf64>
  }
  return %res : tensor<?x?xf64>
}
