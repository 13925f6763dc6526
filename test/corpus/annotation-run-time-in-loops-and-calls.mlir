// Layouts with numbers that only the launch knows: carried by a loop, made in its body of numbers of
// the trip, and passed to and from a function that takes the numbers as arguments.
// RUN-CHECK: --grid 2x2,4x1,1x3 --seed 1
// RUN-CHECK: --grid 2x2 --seed 2
shard.grid @g(shape = 2x2)

func.func private @shifted(%x_in: tensor<12x8xf32>, %n: i64, %m: i64) -> tensor<12x8xf32> {
  %s = shard.sharding @g split_axes = [[], [1]] halo_sizes = [%n, %m] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12x8xf32>
  %y = math.sin %x : tensor<12x8xf32>
  %y0 = shard.shard %y to %s : tensor<12x8xf32>
  return %y0 : tensor<12x8xf32>
}

func.func @main(%x_in: tensor<12x8xf32>, %n: i64 {tessera.range = [1, 4]})
    -> (tensor<12x8xf32>, tensor<12x8xf32>) {
  %lo = arith.constant 0 : index
  %hi = arith.constant 3 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %rows = shard.sharding @g split_axes = [[0]] halo_sizes = [%n, 1] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x8xf32>
  %r = scf.for %i = %lo to %hi step %one iter_args(%carried_in = %x) -> (tensor<12x8xf32>) {
    %carried = shard.shard %carried_in to %rows : tensor<12x8xf32>
    %trip = arith.index_cast %i : index to i64
    %more = arith.addi %trip, %n : i64
    %own = shard.sharding @g split_axes = [[0], [1]] halo_sizes = [%trip, %more, 0, %n] : !shard.sharding
    %a = math.tanh %carried : tensor<12x8xf32>
    %b = shard.shard %a to %own : tensor<12x8xf32>
    %c = arith.addf %b, %carried : tensor<12x8xf32>
    scf.yield %c : tensor<12x8xf32>
  }
  %d = func.call @shifted(%r, %n, %two) : (tensor<12x8xf32>, i64, i64) -> tensor<12x8xf32>
  %e = func.call @shifted(%d, %two, %two) : (tensor<12x8xf32>, i64, i64) -> tensor<12x8xf32>
  return %r, %e : tensor<12x8xf32>, tensor<12x8xf32>
}
