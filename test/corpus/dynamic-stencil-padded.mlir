// A field padded and sliced, its extents known to the launch alone.
// RUN-CHECK: --shape 0=9x7 --grid 1,2,3,4
// RUN-CHECK: --shape 0=2x3 --grid 4,5 --seed 2
// RUN-CHECK: --shape 0=1x1 --grid 4 --seed 3
shard.grid @g(shape = 4)
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%u_in: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %u = shard.shard %u_in to %s : tensor<?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %q = arith.constant 0.25 : f64
  %n = tensor.dim %u, %c0 : tensor<?x?xf64>
  %m = tensor.dim %u, %c1 : tensor<?x?xf64>
  %p = tensor.pad %u low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f64
  } : tensor<?x?xf64> to tensor<?x?xf64>
  %up = tensor.extract_slice %p[0, 1][%n, %m][1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %down = tensor.extract_slice %p[2, 1][%n, %m][1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %left = tensor.extract_slice %p[1, 0][%n, %m][1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %right = tensor.extract_slice %p[1, 2][%n, %m][1, 1] : tensor<?x?xf64> to tensor<?x?xf64>
  %e = tensor.empty(%n, %m) : tensor<?x?xf64>
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
  return %r : tensor<?x?xf64>
}
