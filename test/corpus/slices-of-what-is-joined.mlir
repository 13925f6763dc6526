// Slices of joined, inserted and sliced values, within one part, beside one, and over several: strides,
// fewer dimensions, and dimensions that others split.
// RUN-CHECK: --grid 1,2,3,2x2 --seed 3
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<11x6xf32>, %y_in: tensor<7x6xf32>)
    -> (tensor<6x6xf32>, tensor<3x5xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<7x6xf32>, tensor<5x2xf32>, tensor<3x6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<11x6xf32>
  %y = shard.shard %y_in to %rows : tensor<7x6xf32>
  // Rolled by one, every second: nothing of the row that goes around.
  %tail = tensor.extract_slice %x[1, 0] [10, 6] [1, 1] : tensor<11x6xf32> to tensor<10x6xf32>
  %head = tensor.extract_slice %x[0, 0] [1, 6] [1, 1] : tensor<11x6xf32> to tensor<1x6xf32>
  %e = tensor.empty() : tensor<11x6xf32>
  %i = tensor.insert_slice %tail into %e[0, 0] [10, 6] [1, 1] : tensor<10x6xf32> into tensor<11x6xf32>
  %rolled = tensor.insert_slice %head into %i[10, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<11x6xf32>
  %even = tensor.extract_slice %rolled[0, 0] [6, 6] [2, 1] : tensor<11x6xf32> to tensor<6x6xf32>
  %t0 = math.tanh %even : tensor<6x6xf32>
  %odd = tensor.extract_slice %rolled[1, 1] [3, 5] [3, 1] : tensor<11x6xf32> to tensor<3x5xf32>
  %t1 = math.tanh %odd : tensor<3x5xf32>
  // Of a join: in the second part, over both, all of one.
  %xy = tensor.concat dim(0) %x, %y : (tensor<11x6xf32>, tensor<7x6xf32>) -> tensor<18x6xf32>
  %both = tensor.extract_slice %xy[9, 0] [4, 6] [1, 1] : tensor<18x6xf32> to tensor<4x6xf32>
  %t2 = math.tanh %both : tensor<4x6xf32>
  %row = tensor.extract_slice %xy[13, 0] [1, 6] [1, 1] : tensor<18x6xf32> to tensor<6xf32>
  %t3 = math.tanh %row : tensor<6xf32>
  %all = tensor.extract_slice %xy[11, 0] [7, 6] [1, 1] : tensor<18x6xf32> to tensor<7x6xf32>
  %t4 = math.tanh %all : tensor<7x6xf32>
  // An insertion of steps is not looked through; beside one, what was there.
  %small = tensor.extract_slice %y[0, 0] [3, 2] [2, 3] : tensor<7x6xf32> to tensor<3x2xf32>
  %stepped = tensor.insert_slice %small into %x[0, 0] [3, 2] [4, 3] : tensor<3x2xf32> into tensor<11x6xf32>
  %some = tensor.extract_slice %stepped[1, 0] [5, 2] [2, 3] : tensor<11x6xf32> to tensor<5x2xf32>
  %t5 = math.tanh %some : tensor<5x2xf32>
  %block = tensor.insert_slice %small into %x[4, 2] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<11x6xf32>
  %beside = tensor.extract_slice %block[1, 0] [3, 6] [1, 1] : tensor<11x6xf32> to tensor<3x6xf32>
  %t6 = math.tanh %beside : tensor<3x6xf32>
  return %t0, %t1, %t2, %t3, %t4, %t5, %t6
      : tensor<6x6xf32>, tensor<3x5xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<7x6xf32>, tensor<5x2xf32>, tensor<3x6xf32>
}
