// The loop counter and a global index meet in the body of a split op; the loop may have no trips.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
#i = affine_map<(i) -> (i)>
func.func @main(%x_in: tensor<10xi64>, %n: index {tessera.range = [0, 3]}) -> tensor<10xi64> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10xi64>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %zero to %n step %one iter_args(%v = %x) -> (tensor<10xi64>) {
    %e = tensor.empty() : tensor<10xi64>
    %w = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
        ins(%v : tensor<10xi64>) outs(%e : tensor<10xi64>) {
    ^bb0(%a: i64, %out: i64):
      %p = linalg.index 0 : index
      %q = arith.addi %p, %k : index
      %c = arith.index_cast %q : index to i64
      %d = arith.muli %a, %c : i64
      linalg.yield %d : i64
    } -> tensor<10xi64>
    scf.yield %w : tensor<10xi64>
  }
  return %r : tensor<10xi64>
}
