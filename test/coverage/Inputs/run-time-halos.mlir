// Halo sizes that only the launch knows, in the words of `mesh`: of an argument, intermediates and
// results. check.py also gives numbers that do not fit.
// RUN-CHECK: --entry halos --grid 1x1,2x1,2x2,1x4,2x3,4x2 --seed 1
// RUN-CHECK: --entry halos --grid 2x2,3x2 --seed 2
// RUN-CHECK: --entry halos --grid 2x2 --seed 3 --mpi
// RUN-CHECK: --entry halo_in_the_middle --grid 1x1,2x2,4x2,6x1
mesh.mesh @m(shape = 2x2)

func.func @halos(%x_in: tensor<14x9xf32>, %n: i64 {tessera.range = [0, 6]},
                 %k: i64 {tessera.range = [0, 3]}) -> (tensor<14x9xf32>, tensor<14x9xf32>) {
  %one = arith.constant 1 : i64
  %more = arith.addi %k, %one : i64
  %wide = mesh.sharding @m split_axes = [[0], [1]] halo_sizes = [%n, 1, 2, %k]
  %rows = mesh.sharding @m split_axes = [[1, 0]] halo_sizes = [%more, %n] : !mesh.sharding
  %whole = mesh.sharding @m split_axes = [[]]
  %x = mesh.shard %x_in to %wide : tensor<14x9xf32>
  %a = math.tanh %x : tensor<14x9xf32>
  %b = mesh.shard %a to %rows : tensor<14x9xf32>
  %c = arith.mulf %b, %b : tensor<14x9xf32>
  %d = mesh.shard %c to %wide : tensor<14x9xf32>
  %e = mesh.shard %c to %whole annotate_for_users : tensor<14x9xf32>
  return %d, %e : tensor<14x9xf32>, tensor<14x9xf32>
}

func.func @halo_in_the_middle(%x_in: tensor<14x6xf32>, %n: i64 {tessera.range = [0, 5]})
    -> tensor<14x6xf32> {
  %rows = mesh.sharding @m split_axes = [[0]]
  %halo = mesh.sharding @m split_axes = [[0]] halo_sizes = [1, %n]
  %x = mesh.shard %x_in to %rows : tensor<14x6xf32>
  %a = math.tanh %x : tensor<14x6xf32>
  %b = mesh.shard %a to %halo : tensor<14x6xf32>
  %c = arith.addf %b, %x : tensor<14x6xf32>
  %d = mesh.shard %c to %rows : tensor<14x6xf32>
  return %d : tensor<14x6xf32>
}
