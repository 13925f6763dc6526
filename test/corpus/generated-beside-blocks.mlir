// What is generated is used in front of a region of several blocks and behind it, which upstream's
// canonicalization puts between: it makes no annotation of one from that of the other.
// RUN-CHECK: --grid 1,2,3 --shape 0=7
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<?xf64>) -> tensor<?xf64> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?xf64>
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?xf64>
  %e = tensor.empty(%n) : tensor<?xf64>
  %i = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf64>) {
  ^bb0(%o: f64):
    %at = linalg.index 0 : index
    %k = arith.index_cast %at : index to i64
    %v = arith.sitofp %k : i64 to f64
    linalg.yield %v : f64
  } -> tensor<?xf64>
  %a = arith.addf %x, %i : tensor<?xf64>
  %b = arith.constant true
  %r = scf.execute_region -> tensor<?xf64> {
    cf.cond_br %b, ^one(%x : tensor<?xf64>), ^two
  ^one(%u: tensor<?xf64>):
    %t = arith.subf %a, %u : tensor<?xf64>
    cf.br ^end(%t : tensor<?xf64>)
  ^two:
    cf.br ^end(%a : tensor<?xf64>)
  ^end(%w: tensor<?xf64>):
    scf.yield %w : tensor<?xf64>
  }
  %d = arith.mulf %r, %i : tensor<?xf64>
  %f = arith.subf %d, %i : tensor<?xf64>
  return %f : tensor<?xf64>
}
