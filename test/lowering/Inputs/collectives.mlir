shard.grid @g(shape = 2x2)
func.func @gather(%a: tensor<4x8xf32> {tessera.layout = {grid = @g, global = tensor<16x8xf32>, factors = [[[16, [0, 1]]], [[8, []]]]}}) -> (tensor<16x8xf32> {tessera.layout = {grid = @g, global = tensor<16x8xf32>, factors = [[[16, []]], [[8, []]]]}}) {
  %b = shard.all_gather %a on @g grid_axes = [0, 1] gather_axis = 0 : tensor<4x8xf32> -> tensor<16x8xf32>
  return %b : tensor<16x8xf32>
}
func.func @reduce(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = arith.addf %a, %b : tensor<4x8xf32>
  %r = shard.all_reduce %s on @g grid_axes = [1] : tensor<4x8xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
func.func @reduce_live(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = shard.all_reduce %a on @g grid_axes = [1] reduction = max : tensor<4x8xf32> -> tensor<4x8xf32>
  %s = arith.subf %a, %r : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
func.func @slices(%a: tensor<8x8xf32>) -> (tensor<4x8xf32>, index, index) {
  %e = tensor.extract_slice %a[0, 2] [8, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
  %b = shard.all_to_all %e on @g grid_axes = [0] split_axis = 0 concat_axis = 1 : tensor<8x4xf32> -> tensor<4x8xf32>
  %i:2 = shard.process_multi_index on @g : index, index
  return %b, %i#0, %i#1 : tensor<4x8xf32>, index, index
}
func.func @uneven(%a: tensor<?x8xf32>, %n: index) -> (tensor<10x8xf32>, tensor<?x8xf32>) {
  %b = tessera.all_gather %a on @g grid_axes = [0, 1] gather_axis = 0 : tensor<?x8xf32> -> tensor<10x8xf32>
  %c = tessera.reduce_scatter %b on @g grid_axes = [0, 1] reduction = sum scatter_axis = 0 sizes(%n) : tensor<10x8xf32> -> tensor<?x8xf32>
  return %b, %c : tensor<10x8xf32>, tensor<?x8xf32>
}
func.func @ex(%a: tensor<8x?xf32>, %n: index) -> tensor<?x8xf32> {
  %b = tessera.exchange %a from {grid = @g, global = tensor<16x16xf32>, factors = [[[16, [0]]], [[16, [1]]]]} to {grid = @g, global = tensor<16x16xf32>, factors = [[[16, [1]]], [[16, [0]]]]} sizes(%n) : tensor<8x?xf32> -> tensor<?x8xf32>
  return %b : tensor<?x8xf32>
}
