// Halves, a flipped copy and a padded one, along the dimension that is split, wanted along the other.
// RUN-CHECK: --grid 1,2,3,4,8 --seed 1
shard.grid @g(shape = 4)

func.func @main(%x_in: tensor<30x22xf32>) -> (tensor<30x22xf32>, tensor<30x22xf32>, tensor<33x22xf32>, tensor<1x22xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %cols = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<30x22xf32>
  %zero = arith.constant 0.5 : f32
  %a = tensor.extract_slice %x[0, 0] [13, 22] [1, 1] : tensor<30x22xf32> to tensor<13x22xf32>
  %b = tensor.extract_slice %x[13, 0] [17, 22] [1, 1] : tensor<30x22xf32> to tensor<17x22xf32>
  %c = tensor.concat dim(0) %b, %a : (tensor<17x22xf32>, tensor<13x22xf32>) -> tensor<30x22xf32>
  %r = shard.shard %c to %cols : tensor<30x22xf32>
  %e = tensor.empty() : tensor<30x22xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(i, j) -> (29 - i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<30x22xf32>) outs(%e : tensor<30x22xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
  } -> tensor<30x22xf32>
  %s = shard.shard %f to %cols : tensor<30x22xf32>
  %p = tensor.pad %x low[2, 0] high[1, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
  } : tensor<30x22xf32> to tensor<33x22xf32>
  %t = shard.shard %p to %cols : tensor<33x22xf32>
  %l = tensor.extract_slice %x[29, 0] [1, 22] [1, 1] : tensor<30x22xf32> to tensor<1x22xf32>
  %u = math.tanh %l : tensor<1x22xf32>
  return %r, %s, %t, %u : tensor<30x22xf32>, tensor<30x22xf32>, tensor<33x22xf32>, tensor<1x22xf32>
}
