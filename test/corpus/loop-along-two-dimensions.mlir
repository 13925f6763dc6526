// One loop leads a window of a tensor and is the index of its other dimension, in maps and in what a
// body computes: an axis splits only one of them.
// RUN-CHECK: --grid 4,3,2 --seed 1
shard.grid @g(shape = 4)
#i = affine_map<(i) -> (i)>
func.func @main(%a: tensor<9x8xf32>, %b: tensor<8x9xf32>, %c: tensor<16x9xf32>, %x_in: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8xf32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %empty = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i + 1, i)>, #i, #i], iterator_types = ["parallel"]}
      ins(%a, %x : tensor<9x8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%from: f32, %to: f32, %out: f32):
    %sum = arith.addf %from, %to : f32
    linalg.yield %sum : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i + 1)>, #i, #i], iterator_types = ["parallel"]}
      ins(%b, %x : tensor<8x9xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%from: f32, %to: f32, %out: f32):
    %sum = arith.addf %from, %to : f32
    linalg.yield %sum : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (2 * i + 1, i + 1)>, #i, #i], iterator_types = ["parallel"]}
      ins(%c, %x : tensor<16x9xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%from: f32, %to: f32, %out: f32):
    %sum = arith.addf %from, %to : f32
    linalg.yield %sum : f32
  } -> tensor<8xf32>
  // The window comes first, and then second.
  %3 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%to: f32, %out: f32):
    %i = linalg.index 0 : index
    %next = arith.addi %i, %c1 : index
    %from = tensor.extract %a[%next, %i] : tensor<9x8xf32>
    %sum = arith.addf %from, %to : f32
    linalg.yield %sum : f32
  } -> tensor<8xf32>
  %4 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%to: f32, %out: f32):
    %i = linalg.index 0 : index
    %half = arith.divui %i, %c2 : index
    %from = tensor.extract %b[%i, %half] : tensor<8x9xf32>
    %sum = arith.addf %from, %to : f32
    linalg.yield %sum : f32
  } -> tensor<8xf32>
  return %0, %1, %2, %3, %4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
