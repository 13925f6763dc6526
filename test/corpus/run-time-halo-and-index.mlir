// linalg.index along a dimension of a run-time extent whose pieces have a halo of a run-time size.
// RUN-CHECK: --grid 1,2,3,4 --seed 1 --shape 0=7
// RUN-CHECK: --grid 2,3 --seed 2 --shape 0=8
shard.grid @g(shape = 2)
func.func @main(%a: tensor<?xf64>, %h: i64 {tessera.range = [0, 3]}) -> tensor<?xf64> {
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%h, 1] : !shard.sharding
  %x = shard.shard %a to %s : tensor<?xf64>
  %v = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%x : tensor<?xf64>) {
  ^bb0(%o: f64):
    %i = linalg.index 0 : index
    %cast = arith.index_cast %i : index to i64
    %float = arith.sitofp %cast : i64 to f64
    %sum = arith.addf %o, %float : f64
    linalg.yield %sum : f64
  } -> tensor<?xf64>
  return %v : tensor<?xf64>
}
