// Slices that drop or keep dimensions of size 1, beside split ones of which a piece may have size 1.
// RUN-CHECK: --grid 1,2,4,8,4x2,2x2,1x8,2x3 --seed 1
shard.grid @g(shape = 4x2)
func.func @main(%x_in: tensor<8x1x4xf32>, %y_in: tensor<1x8x1x5xf32>, %z_in: tensor<5x8x6xf32>)
    -> (tensor<8x4xf32>, tensor<8x1x5xf32>, tensor<1x8x5xf32>, tensor<8x4xf32>, tensor<2x8x1x5xf32>,
        tensor<6xf32>) {
  %first = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %second = shard.sharding @g split_axes = [[], [1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %first : tensor<8x1x4xf32>
  %y = shard.shard %y_in to %second : tensor<1x8x1x5xf32>
  %z = shard.shard %z_in to %second : tensor<5x8x6xf32>
  %a = tensor.extract_slice %x[0, 0, 0] [8, 1, 4] [1, 1, 1] : tensor<8x1x4xf32> to tensor<8x4xf32>
  %b = tensor.extract_slice %y[0, 0, 0, 0] [1, 8, 1, 5] [1, 1, 1, 1]
      : tensor<1x8x1x5xf32> to tensor<8x1x5xf32>
  %c = tensor.extract_slice %y[0, 0, 0, 0] [1, 8, 1, 5] [1, 1, 1, 1]
      : tensor<1x8x1x5xf32> to tensor<1x8x5xf32>
  %d = tensor.extract_slice %z[2, 0, 1] [1, 8, 4] [1, 1, 1] : tensor<5x8x6xf32> to tensor<8x4xf32>
  %e = math.tanh %d : tensor<8x4xf32>
  %two = tensor.empty() : tensor<2x8x1x5xf32>
  %f = tensor.insert_slice %b into %two[0, 0, 0, 0] [1, 8, 1, 5] [1, 1, 1, 1]
      : tensor<8x1x5xf32> into tensor<2x8x1x5xf32>
  %g = tensor.insert_slice %c into %f[1, 0, 0, 0] [1, 8, 1, 5] [1, 1, 1, 1]
      : tensor<1x8x5xf32> into tensor<2x8x1x5xf32>
  %h = tensor.extract_slice %z[2, 3, 0] [1, 1, 6] [1, 1, 1] : tensor<5x8x6xf32> to tensor<6xf32>
  return %a, %b, %c, %e, %g, %h
      : tensor<8x4xf32>, tensor<8x1x5xf32>, tensor<1x8x5xf32>, tensor<8x4xf32>, tensor<2x8x1x5xf32>,
        tensor<6xf32>
}
