// Layouts with numbers that only the launch knows, of arguments that nothing uses, whose shape alone
// is asked for, or that a called function does not use: whoever cuts them needs the numbers still.
// RUN-CHECK: --seed 1 --shape 2=11x5
// RUN-CHECK: --grid 3x1,1x1 --seed 2 --shape 2=2x5
shard.grid @g(shape = 2x2)

func.func private @takes(%x_in: tensor<12x6xf64>, %y_in: tensor<12x6xf64>, %h: i64)
    -> tensor<12x6xf64> {
  %s = shard.sharding @g split_axes = [[], [1]] halo_sizes = [%h, 1] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12x6xf64>
  %z = math.tanh %y_in : tensor<12x6xf64>
  return %z : tensor<12x6xf64>
}

func.func @main(%x_in: tensor<12x6xf64>, %y_in: tensor<12x6xf64>, %z_in: tensor<?x5xf64>,
                %h: i64 {tessera.range = [0, 4]})
    -> (tensor<12x6xf64>, tensor<12x6xf64>, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %two = arith.addi %one, %one : i64
  %more = arith.addi %h, %two : i64
  %rows = tensor.dim %z_in, %zero : tensor<?x5xf64>
  %unused = shard.sharding @g split_axes = [[0]] halo_sizes = [%h, %more] : !shard.sharding
  %folded = shard.sharding @g split_axes = [[0], [1]] halo_sizes = [%two, 0, 0, %h] : !shard.sharding
  %asked = shard.sharding @g split_axes = [[0]] halo_sizes = [%more, %two] : !shard.sharding
  %x = shard.shard %x_in to %unused : tensor<12x6xf64>
  %y = shard.shard %y_in to %folded : tensor<12x6xf64>
  %z = shard.shard %z_in to %asked : tensor<?x5xf64>
  %u = math.exp %y : tensor<12x6xf64>
  %v = func.call @takes(%u, %y, %h) : (tensor<12x6xf64>, tensor<12x6xf64>, i64) -> tensor<12x6xf64>
  return %u, %v, %rows : tensor<12x6xf64>, tensor<12x6xf64>, index
}
