// An extent that only a piece with halos of the run tells is known no earlier than that piece, also
// to values before it that are brought to another layout.
// RUN-CHECK: --grid 1,2,3 --seed 1 --shape 0=12 --shape 1=4 --shape 2=4x12 --shape 3=12x8
shard.grid @g(shape = 3)
func.func @main(%x_in: tensor<?xf64>, %y: tensor<?xf64>, %z: tensor<?x?xf64>, %w: tensor<?x?xf64>,
                %small: i64 {tessera.range = [0, 4]}) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %halos = shard.sharding @g split_axes = [[0]] halo_sizes = [%small, 1] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %halos : tensor<?xf64>
  %outer = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>,
                                            affine_map<(i, j) -> (j, i)>],
                           iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?xf64>, tensor<?xf64>) outs(%z : tensor<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %p = arith.mulf %a, %b : f64
    %q = arith.addf %o, %p : f64
    linalg.yield %q : f64
  } -> tensor<?x?xf64>
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %z, %c0 : tensor<?x?xf64>
  %n = tensor.dim %w, %c1 : tensor<?x?xf64>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x?xf64>) -> tensor<?x?xf64>
  %product = linalg.matmul ins(%outer, %w : tensor<?x?xf64>, tensor<?x?xf64>)
      outs(%init : tensor<?x?xf64>) -> tensor<?x?xf64>
  %split = shard.shard %product to %rows : tensor<?x?xf64>
  return %split, %outer : tensor<?x?xf64>, tensor<?x?xf64>
}
