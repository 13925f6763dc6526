// Slices at listed places, with and without the sizes 1 of the listed dimensions.
// RUN-CHECK: --entry gathers --grid 1,2,4 --range 1=0:6 --seed 5
// RUN-CHECK: --entry scatters --grid 1,2,4 --seed 5
shard.grid @g(shape = 2)

func.func @gathers(%x_in: tensor<6x4x6xf32>, %places: tensor<5x3x2xi32>)
    -> (tensor<5x3x1x4x1xf32>, tensor<5x3x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<6x4x6xf32>
  %a = tensor.gather %x[%places] gather_dims([0, 2])
      : (tensor<6x4x6xf32>, tensor<5x3x2xi32>) -> tensor<5x3x1x4x1xf32>
  %b = tensor.gather %x[%places] gather_dims([0, 2])
      : (tensor<6x4x6xf32>, tensor<5x3x2xi32>) -> tensor<5x3x4xf32>
  return %a, %b : tensor<5x3x1x4x1xf32>, tensor<5x3x4xf32>
}

func.func @scatters(%x_in: tensor<6x4xf32>, %ones: tensor<3x1x4xf32>, %columns: tensor<2x6xf32>)
    -> (tensor<6x4xf32>, tensor<6x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<6x4xf32>
  %at = arith.constant dense<[[4], [0], [5]]> : tensor<3x1xindex>
  %of = arith.constant dense<[[3], [1]]> : tensor<2x1xi32>
  %a = tensor.scatter %ones into %x[%at] scatter_dims([0]) unique
      : (tensor<3x1x4xf32>, tensor<6x4xf32>, tensor<3x1xindex>) -> tensor<6x4xf32>
  %b = tensor.scatter %columns into %x[%of] scatter_dims([1]) unique
      : (tensor<2x6xf32>, tensor<6x4xf32>, tensor<2x1xi32>) -> tensor<6x4xf32>
  return %a, %b : tensor<6x4xf32>, tensor<6x4xf32>
}
