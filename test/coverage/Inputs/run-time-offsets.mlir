// Shard offsets that only the launch knows, in the words of `mesh`: of an argument, intermediates
// and results. check.py also gives numbers that do not fit.
// RUN-CHECK: --entry offsets --grid 2x1,2x2,2x3,2x4 --seed 1
// RUN-CHECK: --entry offsets --grid 2x2,2x3 --seed 2
// RUN-CHECK: --entry offsets --grid 2x2 --seed 3 --mpi
// RUN-CHECK: --entry offsets_in_the_middle --grid 2x1,2x2,2x4
mesh.mesh @m(shape = 2x2)

func.func @offsets(%x_in: tensor<14x6xf32>, %n: i64 {tessera.range = [0, 15]},
                   %k: i64 {tessera.range = [0, 15]}) -> (tensor<14x6xf32>, tensor<6x14xf32>) {
  %given = mesh.sharding @m split_axes = [[0]] sharded_dims_offsets = [0, %n, 14]
  %other = mesh.sharding @m split_axes = [[0]] sharded_dims_offsets = [0, %k, 14]
  %columns = mesh.sharding @m split_axes = [[], [0]] sharded_dims_offsets = [0, %k, 14]
  %x = mesh.shard %x_in to %given : tensor<14x6xf32>
  %a = math.tanh %x : tensor<14x6xf32>
  %b = mesh.shard %a to %other : tensor<14x6xf32>
  %init = tensor.empty() : tensor<6x14xf32>
  %t = linalg.transpose ins(%b : tensor<14x6xf32>) outs(%init : tensor<6x14xf32>)
    permutation = [1, 0]
  %u = mesh.shard %t to %columns : tensor<6x14xf32>
  %c = mesh.shard %b to %given annotate_for_users : tensor<14x6xf32>
  return %c, %u : tensor<14x6xf32>, tensor<6x14xf32>
}

func.func @offsets_in_the_middle(%x_in: tensor<14x6xf32>, %n: i64 {tessera.range = [0, 15]},
                                 %end: i64 {tessera.range = [14, 15]}) -> tensor<14x6xf32> {
  %rows = mesh.sharding @m split_axes = [[0]]
  %given = mesh.sharding @m split_axes = [[0]] sharded_dims_offsets = [0, %n, %end]
  %x = mesh.shard %x_in to %rows : tensor<14x6xf32>
  %a = math.tanh %x : tensor<14x6xf32>
  %b = mesh.shard %a to %given : tensor<14x6xf32>
  %c = arith.addf %b, %b : tensor<14x6xf32>
  %d = mesh.shard %c to %rows : tensor<14x6xf32>
  return %d : tensor<14x6xf32>
}
