// Pieces that are computed where others ask for them do not have all rows, and a row that they lack, or all of
// some rows, is asked for as well.
// RUN-CHECK: --entry lacking --grid 2,3,4,7 --seed 1
// RUN-CHECK: --entry just_these --grid 2,3,4 --seed 1

shard.grid @g(shape = 4)

func.func @lacking(%x_in: tensor<5x4xf32>, %y: tensor<5x4xf32>, %w: tensor<4x6xf32>, %z_in: tensor<4x4xf32>)
    -> (tensor<5x6xf32>, tensor<4x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<5x4xf32>
  %z = shard.shard %z_in to %rows : tensor<4x4xf32>
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %into = arith.constant dense<0.0> : tensor<5x4xf32>
  %m = arith.maximumf %x, %y : tensor<5x4xf32>
  %last = tensor.extract_slice %m[3, 0] [2, 4] [1, 1] : tensor<5x4xf32> to tensor<2x4xf32>
  %first = tensor.extract_slice %m[0, 0] [4, 4] [1, 1] : tensor<5x4xf32> to tensor<4x4xf32>
  %p = tensor.insert_slice %last into %into[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<5x4xf32>
  %q = linalg.matmul ins(%p, %w : tensor<5x4xf32>, tensor<4x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %r = shard.shard %q to %whole : tensor<5x6xf32>
  %s = arith.mulf %first, %z : tensor<4x4xf32>
  return %r, %s : tensor<5x6xf32>, tensor<4x4xf32>
}

// All of these rows are there, but no others.
func.func @just_these(%x_in: tensor<3x4xf32>) -> (tensor<f32>, tensor<3x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<3x4xf32>
  %low = arith.constant dense<3.0> : tensor<f32>
  %into = arith.constant dense<0.0> : tensor<3x4xf32>
  %y = arith.addf %x, %x : tensor<3x4xf32>
  %s = tensor.extract_slice %y[1, 0] [2, 4] [1, 1] : tensor<3x4xf32> to tensor<2x4xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<2x4xf32>) outs(%low : tensor<f32>) dimensions = [0, 1]
  %p = tensor.insert_slice %s into %into[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<3x4xf32>
  %r = shard.shard %p to %whole : tensor<3x4xf32>
  return %m, %r : tensor<f32>, tensor<3x4xf32>
}
