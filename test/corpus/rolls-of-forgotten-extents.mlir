// Windows of rows that are rolled, as importers join them: behind casts that forget how many rows each part has, in
// front of a product.
// RUN-CHECK: --grid 1,2,3,4,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<16x8xf32>, %w: tensor<8x6xf32>) -> (tensor<16x6xf32>, tensor<16x8xf32>) {
  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<16x8xf32>
  %a = tensor.extract_slice %x[2, 0] [14, 8] [1, 1] : tensor<16x8xf32> to tensor<14x8xf32>
  %a_cast = tensor.cast %a : tensor<14x8xf32> to tensor<?x8xf32>
  %b = tensor.extract_slice %x[0, 0] [2, 8] [1, 1] : tensor<16x8xf32> to tensor<2x8xf32>
  %b_cast = tensor.cast %b : tensor<2x8xf32> to tensor<?x8xf32>
  %rolled = tensor.concat dim(0) %a_cast, %b_cast : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x6xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x6xf32>) -> tensor<16x6xf32>
  %y = linalg.matmul ins(%rolled, %w : tensor<16x8xf32>, tensor<8x6xf32>) outs(%zeros : tensor<16x6xf32>) -> tensor<16x6xf32>
  %c = tensor.extract_slice %rolled[14, 0] [2, 8] [1, 1] : tensor<16x8xf32> to tensor<2x8xf32>
  %d = tensor.extract_slice %rolled[0, 0] [14, 8] [1, 1] : tensor<16x8xf32> to tensor<14x8xf32>
  %c_cast = tensor.cast %c : tensor<2x8xf32> to tensor<?x8xf32>
  %d_cast = tensor.cast %d : tensor<14x8xf32> to tensor<?x8xf32>
  %back = tensor.concat dim(0) %c_cast, %d_cast : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<16x8xf32>
  return %y, %back : tensor<16x6xf32>, tensor<16x8xf32>
}
