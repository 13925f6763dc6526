// Slices, strided and rank-reducing, of tensors that are split along the dimensions left alone; the
// annotation comes before or after the slice.
// RUN-CHECK: --grid 1,2,4,6,8,1x2,2x2,2x3,4x2 --seed 1
// RUN-CHECK: --grid 3x2 --seed 2
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x8xf32>, %q_in: tensor<3x7x5x8xf32>, %late: tensor<10x8xf32>,
                %at: index {tessera.range = [0, 5]})
    -> (tensor<10x3xf32>, tensor<7x5x8xf32>, tensor<7x8xf32>, tensor<10x2xf32>, tensor<10x4xf32>,
        tensor<4x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %second = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %both = shard.sharding @g split_axes = [[], [1], [], [0]] : !shard.sharding
  %q = shard.shard %q_in to %both : tensor<3x7x5x8xf32>
  %s = tensor.extract_slice %x[0, 1] [10, 3] [1, 2] : tensor<10x8xf32> to tensor<10x3xf32>
  %t = math.tanh %s : tensor<10x3xf32>
  %heads = tensor.extract_slice %q[1, 0, 0, 0] [1, 7, 5, 8] [1, 1, 1, 1]
      : tensor<3x7x5x8xf32> to tensor<7x5x8xf32>
  %head = tensor.extract_slice %q[2, 0, %at, 0] [1, 7, 1, 8] [1, 1, 1, 1]
      : tensor<3x7x5x8xf32> to tensor<7x8xf32>
  %l = tensor.extract_slice %late[0, %at] [10, 2] [1, 1] : tensor<10x8xf32> to tensor<10x2xf32>
  %l_rows = shard.shard %l to %rows : tensor<10x2xf32>
  %even = tensor.extract_slice %x[0, 0] [10, 4] [1, 2] : tensor<10x8xf32> to tensor<10x4xf32>
  %even_columns = shard.shard %even to %second : tensor<10x4xf32>
  %corner = tensor.extract_slice %x[3, 1] [4, 4] [2, 1] : tensor<10x8xf32> to tensor<4x4xf32>
  %cosine = math.cos %corner : tensor<4x4xf32>
  return %t, %heads, %head, %l_rows, %even_columns, %cosine
      : tensor<10x3xf32>, tensor<7x5x8xf32>, tensor<7x8xf32>, tensor<10x2xf32>, tensor<10x4xf32>,
        tensor<4x4xf32>
}
