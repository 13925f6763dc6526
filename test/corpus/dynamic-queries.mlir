// What asks for the extent of a split dimension gets the global one: sizes, bounds, conditions.
// RUN-CHECK: --grid 1,2,4,6 --seed 1 --shape 0=7x3
// RUN-CHECK: --grid 2,4 --seed 2 --shape 0=1x3
// RUN-CHECK: --grid 4 --seed 3 --shape 0=0x3
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<?x3xf32>) -> (index, index, index, tensor<?x3xf32>, tensor<?xi64>, index) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %rank = tensor.rank %x : tensor<?x3xf32>
  %which = arith.minui %n, %c1 : index
  %some = tensor.dim %x, %which : tensor<?x3xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x) -> (tensor<?x3xf32>) {
    %v = arith.addf %u, %x : tensor<?x3xf32>
    scf.yield %v : tensor<?x3xf32>
  }
  %twice = arith.addi %n, %n : index
  %e = tensor.empty(%twice) : tensor<?xi64>
  %iota = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i64
    linalg.yield %v : i64
  } -> tensor<?xi64>
  %is = shard.shard %iota to %s : tensor<?xi64>
  %many = arith.cmpi ugt, %n, %c5 : index
  %asked = scf.if %many -> (index) {
    %m = tensor.dim %sum, %c0 : tensor<?x3xf32>
    scf.yield %m : index
  } else {
    scf.yield %c5 : index
  }
  return %n, %rank, %some, %sum, %is, %asked : index, index, index, tensor<?x3xf32>, tensor<?xi64>, index
}
