// A batch of run-time size merged with heads that are split as well, and taken apart again.
// RUN-CHECK: --grid 1x1,2x2,4x1,3x2,2x4 --seed 1 --shape 0=5x8x6 --shape 1=5x8x6
// RUN-CHECK: --grid 2x2,4x2 --seed 2 --shape 0=1x8x6 --shape 1=1x8x6
// RUN-CHECK: --grid 2x2,4x2 --seed 3 --shape 0=8x8x6 --shape 1=8x8x6
// RUN-CHECK: --grid 2x2 --seed 4 --shape 0=0x8x6 --shape 1=0x8x6
#id = affine_map<(i, j) -> (i, j)>
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<?x8x6xf32>, %y_in: tensor<?x8x6xf32>) -> (tensor<?x8x6xf32>, tensor<?x6xf32>, tensor<?x2x6xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %batch = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x8x6xf32>
  %y = shard.shard %y_in to %batch : tensor<?x8x6xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?x8x6xf32>
  %a = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x8x6xf32> into tensor<?x6xf32>
  %b = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x8x6xf32> into tensor<?x6xf32>
  %c = arith.mulf %a, %b : tensor<?x6xf32>
  %i = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : tensor<?x6xf32>) {
  ^bb0(%o: f32):
    %row = linalg.index 0 : index
    %k = arith.index_cast %row : index to i32
    %f = arith.sitofp %k : i32 to f32
    %r = arith.addf %o, %f : f32
    linalg.yield %r : f32
  } -> tensor<?x6xf32>
  %back = tensor.expand_shape %i [[0, 1], [2]] output_shape [%n, 8, 6] : tensor<?x6xf32> into tensor<?x8x6xf32>
  %n4 = arith.muli %n, %c4 : index
  %other = tensor.expand_shape %i [[0, 1], [2]] output_shape [%n4, 2, 6] : tensor<?x6xf32> into tensor<?x2x6xf32>
  %j = arith.addf %i, %b : tensor<?x6xf32>
  %plain = shard.shard %j to %batch : tensor<?x6xf32>
  return %back, %plain, %other : tensor<?x8x6xf32>, tensor<?x6xf32>, tensor<?x2x6xf32>
}
