// RUN-CHECK: --grid 1,2,4
// What is only looked at through slices is made as these: transposed, joined, padded and computed.
shard.grid @g(shape = 2)
#t = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x_in: tensor<200x160xf32>, %y: tensor<200x160xf32>, %b: tensor<200xf32>)
    -> (tensor<37x101xf32>, tensor<90x50xf32>, tensor<6x170xf32>, tensor<3x20xf32>, tensor<120x50xf32>) {
  %split = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<200x160xf32>
  %zero = arith.constant 2.5 : f32
  %e = tensor.empty() : tensor<160x200xf32>
  %t = linalg.generic {indexing_maps = [#t, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<200x160xf32>, tensor<200xf32>) outs(%e : tensor<160x200xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<160x200xf32>
  %0 = tensor.extract_slice %t[5, 90] [37, 101] [1, 1] : tensor<160x200xf32> to tensor<37x101xf32>
  %joined = tensor.concat dim(0) %y, %x, %y : (tensor<200x160xf32>, tensor<200x160xf32>, tensor<200x160xf32>) -> tensor<600x160xf32>
  %twice = arith.addf %joined, %joined : tensor<600x160xf32>
  %1 = tensor.extract_slice %twice[180, 7] [90, 50] [1, 1] : tensor<600x160xf32> to tensor<90x50xf32>
  %4 = tensor.extract_slice %twice[190, 100] [120, 50] [1, 1] : tensor<600x160xf32> to tensor<120x50xf32>
  %padded = tensor.pad %x low[3, 5] high[4, 9] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<200x160xf32> to tensor<207x174xf32>
  %2 = tensor.extract_slice %padded[200, 4] [6, 170] [1, 1] : tensor<207x174xf32> to tensor<6x170xf32>
  %wide = tensor.pad %y low[3, 5] high[4, 9] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<200x160xf32> to tensor<207x174xf32>
  %3 = tensor.extract_slice %wide[0, 4] [3, 20] [1, 1] : tensor<207x174xf32> to tensor<3x20xf32>
  return %0, %1, %2, %3, %4 : tensor<37x101xf32>, tensor<90x50xf32>, tensor<6x170xf32>, tensor<3x20xf32>, tensor<120x50xf32>
}
