// Slices at listed places of split tensors, in pieces of different sizes, over two axes, of types of
// run-time extents, and one element alone.
// RUN-CHECK: --entry gathers --grid 1x2,2x1,2x2,2x3,3x5,1x7 --seed 5
// RUN-CHECK: --entry scatters --grid 1x2,2x1,2x2,2x3,3x5,1x7 --seed 5
// RUN-CHECK: --entry run_time --grid 1x2,2x2,2x3,1x7 --shape 0=10x5 --shape 1=1x5 --shape 2=1x1 --shape 3=4x1 --seed 5
shard.grid @g(shape = 2x2)

func.func @gathers(%x_in: tensor<11x4x6xf32>, %places: tensor<5x3x2xi32> {tessera.range = [0, 6]},
                   %rows_in: tensor<7x1xi64> {tessera.range = [0, 11]}, %flags_in: tensor<13x3xi1>)
    -> (tensor<5x3x1x4x1xf32>, tensor<5x3x4xf32>, tensor<7x4x6xf32>, tensor<7x3xi1>) {
  %both = shard.sharding @g split_axes = [[0], [], [1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %first = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<11x4x6xf32>
  %at = shard.shard %rows_in to %first : tensor<7x1xi64>
  %flags = shard.shard %flags_in to %rows : tensor<13x3xi1>
  %a = tensor.gather %x[%places] gather_dims([0, 2])
      : (tensor<11x4x6xf32>, tensor<5x3x2xi32>) -> tensor<5x3x1x4x1xf32>
  %b = tensor.gather %x[%places] gather_dims([0, 2])
      : (tensor<11x4x6xf32>, tensor<5x3x2xi32>) -> tensor<5x3x4xf32>
  %c = tensor.gather %x[%at] gather_dims([0]) : (tensor<11x4x6xf32>, tensor<7x1xi64>) -> tensor<7x4x6xf32>
  %d = tensor.gather %flags[%at] gather_dims([0]) : (tensor<13x3xi1>, tensor<7x1xi64>) -> tensor<7x3xi1>
  return %a, %b, %c, %d : tensor<5x3x1x4x1xf32>, tensor<5x3x4xf32>, tensor<7x4x6xf32>, tensor<7x3xi1>
}

func.func @scatters(%x_in: tensor<11x5x3xf64>, %y_in: tensor<11x5x3xf64>, %v: tensor<4x1x5x3xf64>,
                    %w: tensor<5x3xf64>, %corner: tensor<2x5xf64>, %e: f64,
                    %i: index {tessera.range = [0, 11]}, %j: index {tessera.range = [0, 3]})
    -> (tensor<11x5x3xf64>, tensor<11x5x3xf64>, tensor<11x5x3xf64>, tensor<11x5x3xf64>) {
  %both = shard.sharding @g split_axes = [[0], [], [1]] : !shard.sharding
  %middle = shard.sharding @g split_axes = [[], [1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<11x5x3xf64>
  %y = shard.shard %y_in to %middle : tensor<11x5x3xf64>
  %rows = arith.constant dense<[[1], [8], [4], [10]]> : tensor<4x1xi64>
  %row = arith.constant dense<[7]> : tensor<1xi8>
  %corners = arith.constant dense<[[0, 2], [10, 1]]> : tensor<2x2xindex>
  %a = tensor.scatter %v into %x[%rows] scatter_dims([0]) unique
      : (tensor<4x1x5x3xf64>, tensor<11x5x3xf64>, tensor<4x1xi64>) -> tensor<11x5x3xf64>
  %b = tensor.scatter %w into %y[%row] scatter_dims([0]) unique
      : (tensor<5x3xf64>, tensor<11x5x3xf64>, tensor<1xi8>) -> tensor<11x5x3xf64>
  %c = tensor.scatter %corner into %x[%corners] scatter_dims([0, 2]) unique
      : (tensor<2x5xf64>, tensor<11x5x3xf64>, tensor<2x2xindex>) -> tensor<11x5x3xf64>
  %d = tensor.insert %e into %c[%i, %j, %j] : tensor<11x5x3xf64>
  return %a, %b, %c, %d : tensor<11x5x3xf64>, tensor<11x5x3xf64>, tensor<11x5x3xf64>, tensor<11x5x3xf64>
}

func.func @run_time(%x_in: tensor<?x5xf64>, %v: tensor<?x5xf64>, %at: tensor<?x1xindex> {tessera.range = [0, 10]},
                    %places: tensor<?x1xi32> {tessera.range = [0, 10]})
    -> (tensor<?x5xf64>, tensor<?x5xf64>) {
  %rows = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x5xf64>
  %a = tensor.scatter %v into %x[%at] scatter_dims([0]) unique
      : (tensor<?x5xf64>, tensor<?x5xf64>, tensor<?x1xindex>) -> tensor<?x5xf64>
  %b = tensor.gather %a[%places] gather_dims([0]) : (tensor<?x5xf64>, tensor<?x1xi32>) -> tensor<?x5xf64>
  return %a, %b : tensor<?x5xf64>, tensor<?x5xf64>
}
