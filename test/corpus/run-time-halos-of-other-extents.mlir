// Halo sizes from other extents than that of the dimension that has them, asked for before the sizes
// are computed: at the top, in loops, in ops that run whole, by a number of the run.
// RUN-CHECK: --grid 2x2,1x3,4x1 --seed 1 --shape 0=7x5 --shape 1=9 --shape 2=6x9
// RUN-CHECK: --grid 2x2,2x1 --seed 2 --shape 0=6x3 --shape 1=2 --shape 2=5x4
shard.grid @g(shape = 2x2)
func.func @main(%a: tensor<?x?xf64>, %b: tensor<?xf64>, %c: tensor<?x?xf64>,
                %k: i64 {tessera.range = [0, 3]}, %flag: i1)
    -> (tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf64>
  %looped = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %n) -> index {
    %size = tensor.dim %a, %c1 : tensor<?x?xf64>
    %next = arith.addi %sum, %size : index
    scf.yield %next : index
  }
  %chosen = scf.if %flag -> index {
    %inner = scf.for %i = %c0 to %c1 step %c1 iter_args(%sum = %n) -> index {
      %size = tensor.dim %a, %i : tensor<?x?xf64>
      %next = arith.addi %sum, %size : index
      scf.yield %next : index
    }
    scf.yield %inner : index
  } else {
    scf.yield %c0 : index
  }
  %m = tensor.dim %b, %c0 : tensor<?xf64>
  %quarter = arith.divui %m, %c4 : index
  %rows = arith.index_cast %quarter : index to i64
  %more = arith.addi %k, %rows : i64
  %s = shard.sharding @g split_axes = [[0], [1]] halo_sizes = [%rows, %more, %k, 1] : !shard.sharding
  %x = shard.shard %a to %s : tensor<?x?xf64>
  %v = math.tanh %x : tensor<?x?xf64>
  %w = math.exp %b : tensor<?xf64>
  // One dimension's halo from the other's extent.
  %width = tensor.dim %c, %c1 : tensor<?x?xf64>
  %part = arith.divui %width, %c4 : index
  %part64 = arith.index_cast %part : index to i64
  %t = shard.sharding @g split_axes = [[0]] halo_sizes = [%part64, 1] : !shard.sharding
  %y = shard.shard %c to %t : tensor<?x?xf64>
  %height = tensor.dim %y, %c0 : tensor<?x?xf64>
  %u = arith.addf %y, %y : tensor<?x?xf64>
  return %v, %w, %u, %looped, %chosen, %height
      : tensor<?x?xf64>, tensor<?xf64>, tensor<?x?xf64>, index, index, index
}
