// A value beside the maximum that is chosen from the same candidates: of zeros the maximum is the
// positive one, and the value is the first.
// RUN-CHECK: --grid 2,4,8
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<9x16xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<9x16xf32>
  %none = arith.constant dense<0.0> : tensor<9x16xf32>
  %zeros = arith.mulf %x, %none : tensor<9x16xf32>
  %low = arith.constant dense<0xFF800000> : tensor<9xf32>
  %chosen:2 = linalg.generic {indexing_maps = [#x, #r, #r], iterator_types = ["parallel", "reduction"]}
      ins(%zeros : tensor<9x16xf32>) outs(%low, %low : tensor<9xf32>, tensor<9xf32>) {
  ^bb0(%in: f32, %best: f32, %at: f32):
    %most = arith.maximumf %in, %best : f32
    %more = arith.cmpf ogt, %in, %best : f32
    %first = arith.select %more, %in, %at : f32
    linalg.yield %most, %first : f32, f32
  } -> (tensor<9xf32>, tensor<9xf32>)
  %one = arith.constant dense<1.0> : tensor<9xf32>
  %0 = arith.divf %one, %chosen#0 : tensor<9xf32>
  %1 = arith.divf %one, %chosen#1 : tensor<9xf32>
  return %0, %1 : tensor<9xf32>, tensor<9xf32>
}
