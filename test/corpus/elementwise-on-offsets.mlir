// Elementwise chains on shards of given offsets, known and of the run, that go on in what needs
// balanced shards; with a constant that is not the same everywhere, in a loop, and with indices.
// RUN-CHECK: --seed 1
// RUN-CHECK: --seed 2
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<9x4xf32>, %y_in: tensor<9x4xf32>, %n: i64 {tessera.range = [0, 10]})
    -> (tensor<9x4xf32>, tensor<9x4xf32>, tensor<4xf32>, tensor<9x4xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] sharded_dims_offsets = [0, %n, 9, 0, 3, 4] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<9x4xf32>
  %y = shard.shard %y_in to %s : tensor<9x4xf32>
  %a = arith.addf %x, %y : tensor<9x4xf32>
  %two = arith.constant dense<2.0> : tensor<9x4xf32>
  %row = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0],
    [1.5, 2.5, 3.5, 4.5], [0.0, 1.0, 0.0, 1.0], [-1.0, -2.0, -3.0, -4.0], [7.0, 7.0, 7.0, 7.0],
    [0.5, 0.25, 0.125, 1.0], [3.0, 1.0, 4.0, 1.0]]> : tensor<9x4xf32>
  %b = arith.mulf %a, %two : tensor<9x4xf32>
  %c = arith.addf %b, %row : tensor<9x4xf32>
  %e = tensor.empty() : tensor<9x4xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<9x4xf32>) outs(%e : tensor<9x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %i = linalg.index 0 : index
      %cast = arith.index_cast %i : index to i32
      %float = arith.sitofp %cast : i32 to f32
      %sum = arith.addf %in, %float : f32
      linalg.yield %sum : f32
  } -> tensor<9x4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %r = linalg.reduce ins(%b : tensor<9x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %sum = arith.addf %in, %acc : f32
      linalg.yield %sum : f32
    }
  %lo = arith.constant 0 : index
  %hi = arith.constant 3 : index
  %one = arith.constant 1 : index
  %l = scf.for %k = %lo to %hi step %one iter_args(%v = %b) -> (tensor<9x4xf32>) {
    %u = arith.addf %v, %x : tensor<9x4xf32>
    %w = math.tanh %u : tensor<9x4xf32>
    scf.yield %w : tensor<9x4xf32>
  }
  return %b, %d, %r, %l : tensor<9x4xf32>, tensor<9x4xf32>, tensor<4xf32>, tensor<9x4xf32>
}
