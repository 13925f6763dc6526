// Tokens and the table that they are looked up in are split over the same devices, unevenly.
// RUN-CHECK: --grid 4,3,2 --seed 1
shard.grid @g(shape = 4)
func.func @main(%table_in: tensor<103x8xf32>, %x_in: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %s : tensor<103x8xf32>
  %x = shard.shard %x_in to %s : tensor<10x8xf32>
  %most = arith.constant 102 : index
  %some = arith.constant 37 : index
  %et = tensor.empty() : tensor<10xi32>
  %tokens = linalg.generic {indexing_maps = [affine_map<(t) -> (t)>], iterator_types = ["parallel"]} outs(%et : tensor<10xi32>) {
  ^bb0(%out: i32):
    %t = linalg.index 0 : index
    %m = arith.muli %t, %some : index
    %k = arith.remui %m, %most : index
    %i = arith.index_cast %k : index to i32
    linalg.yield %i : i32
  } -> tensor<10xi32>
  %mine = shard.shard %tokens to %s : tensor<10xi32>
  %empty = tensor.empty() : tensor<10x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%mine : tensor<10xi32>) outs(%empty : tensor<10x8xf32>) {
  ^bb0(%token: i32, %out: f32):
    %row = arith.index_cast %token : i32 to index
    %d = linalg.index 1 : index
    %v = tensor.extract %table[%row, %d] : tensor<103x8xf32>
    linalg.yield %v : f32
  } -> tensor<10x8xf32>
  %h = math.tanh %r : tensor<10x8xf32>
  %0 = arith.mulf %h, %x : tensor<10x8xf32>
  return %0 : tensor<10x8xf32>
}
