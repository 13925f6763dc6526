// What is needed otherwise than it is split is made again of fewer bytes.
// RUN-CHECK: --entry mask --grid 2,3,4,7 --seed 3 --range 0=0:24
// RUN-CHECK: --entry products_stay --grid 2,3,4,7 --seed 4
shard.grid @g(shape = 4)

func.func @mask(%k_in: tensor<64xi32>, %x_in: tensor<64x8xf32>) -> tensor<64x8x20xf32> {
  %tokens = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %experts = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %k = shard.shard %k_in to %tokens : tensor<64xi32>
  %x = shard.shard %x_in to %experts : tensor<64x8xf32>
  %zero = arith.constant 0.0 : f32
  %em = tensor.empty() : tensor<64x20xi1>
  %hot = linalg.generic {indexing_maps = [affine_map<(t, c) -> (t)>, affine_map<(t, c) -> (t, c)>],
                         iterator_types = ["parallel", "parallel"]} ins(%k : tensor<64xi32>) outs(%em : tensor<64x20xi1>) {
    ^bb0(%place: i32, %out: i1):
      %c = linalg.index 1 : index
      %ci = arith.index_cast %c : index to i32
      %is = arith.cmpi eq, %place, %ci : i32
      linalg.yield %is : i1
  } -> tensor<64x20xi1>
  %wide = arith.uitofp %hot : tensor<64x20xi1> to tensor<64x20xf32>
  %half = arith.constant dense<0.5> : tensor<64x20xf32>
  %on = arith.cmpf ogt, %wide, %half : tensor<64x20xf32>
  %e = tensor.empty() : tensor<64x8x20xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(t, n, c) -> (t, c)>, affine_map<(t, n, c) -> (t, n)>,
                                        affine_map<(t, n, c) -> (t, n, c)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%on, %x : tensor<64x20xi1>, tensor<64x8xf32>) outs(%e : tensor<64x8x20xf32>) {
    ^bb0(%is: i1, %v: f32, %out: f32):
      %s = arith.select %is, %v, %zero : f32
      linalg.yield %s : f32
  } -> tensor<64x8x20xf32>
  %rs = shard.shard %r to %experts : tensor<64x8x20xf32>
  return %rs : tensor<64x8x20xf32>
}

// A number of as many bytes as what it is made of is moved as it is: no device computes what another does.
func.func @same_bytes(%x_in: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x8xf32>
  %t = math.tanh %x : tensor<64x8xf32>
  %r = shard.shard %t to %whole : tensor<64x8xf32>
  return %r : tensor<64x8xf32>
}

// Nor is a product computed on every device for what it is made of being less.
func.func @products_stay(%x_in: tensor<64x8xf32>, %w: tensor<8x40xf32>) -> tensor<64x40xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x8xf32>
  %zero = arith.constant dense<0.0> : tensor<64x40xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x8xf32>, tensor<8x40xf32>) outs(%zero : tensor<64x40xf32>) -> tensor<64x40xf32>
  %e = math.exp %p : tensor<64x40xf32>
  %r = shard.shard %e to %whole : tensor<64x40xf32>
  return %r : tensor<64x40xf32>
}
