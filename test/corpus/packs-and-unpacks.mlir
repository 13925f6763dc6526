// Tiles of a matrix, with padding, in another order of tiles, and back.
// RUN-CHECK: --entry tiles --grid 1,2,4 --seed 5
// RUN-CHECK: --entry back --grid 1,2,4 --seed 5
shard.grid @g(shape = 2)

func.func @tiles(%x_in: tensor<7x6xf32>, %pad: f32)
    -> (tensor<2x3x4x2xf32>, tensor<3x7x2xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<7x6xf32>
  %e = tensor.empty() : tensor<2x3x4x2xf32>
  %f = tensor.empty() : tensor<3x7x2xf32>
  %a = linalg.pack %x padding_value(%pad : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 2]
      into %e : tensor<7x6xf32> -> tensor<2x3x4x2xf32>
  %b = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [2]
      into %f : tensor<7x6xf32> -> tensor<3x7x2xf32>
  return %a, %b : tensor<2x3x4x2xf32>, tensor<3x7x2xf32>
}

func.func @back(%x_in: tensor<2x3x4x2xf32>, %y: tensor<3x7x2xf32>)
    -> (tensor<7x6xf32>, tensor<7x6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<2x3x4x2xf32>
  %e = tensor.empty() : tensor<7x6xf32>
  %a = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %e
      : tensor<2x3x4x2xf32> -> tensor<7x6xf32>
  %b = linalg.unpack %y outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [2] into %e
      : tensor<3x7x2xf32> -> tensor<7x6xf32>
  return %a, %b : tensor<7x6xf32>, tensor<7x6xf32>
}
