// Two reductions that choose, alike in their loops: one gives the place of the first of equal candidates, so that
// devices may be asked in any order; the other what stands beside it, so that they may not. Of merged dimensions
// of which the inner one is split, pieces lie between each other.
// RUN-CHECK: --grid 1,2,3,4 --seed 1 --range 0=0:3 --range 1=0:100
#x = affine_map<(d0) -> (d0)>
#r = affine_map<(d0) -> ()>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<6x8xi32>, %y_in: tensor<6x8xi32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %xs = shard.shard %x_in to %s : tensor<6x8xi32>
  %ys = shard.shard %y_in to %s : tensor<6x8xi32>
  %x = tensor.collapse_shape %xs [[0, 1]] : tensor<6x8xi32> into tensor<48xi32>
  %y = tensor.collapse_shape %ys [[0, 1]] : tensor<6x8xi32> into tensor<48xi32>
  %low = arith.constant dense<-1> : tensor<i32>
  %0:2 = linalg.generic {indexing_maps = [#x, #x, #r, #r], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<48xi32>, tensor<48xi32>) outs(%low, %low : tensor<i32>, tensor<i32>) {
  ^bb0(%a: i32, %b: i32, %best: i32, %at: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %c = arith.cmpi sgt, %a, %best : i32
    %m = arith.select %c, %a, %best : i32
    %k = arith.select %c, %j, %at : i32
    linalg.yield %m, %k : i32, i32
  } -> (tensor<i32>, tensor<i32>)
  %1:2 = linalg.generic {indexing_maps = [#x, #x, #r, #r], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<48xi32>, tensor<48xi32>) outs(%low, %low : tensor<i32>, tensor<i32>) {
  ^bb0(%a: i32, %b: i32, %best: i32, %beside: i32):
    %c = arith.cmpi sgt, %a, %best : i32
    %m = arith.select %c, %a, %best : i32
    %k = arith.select %c, %b, %beside : i32
    linalg.yield %m, %k : i32, i32
  } -> (tensor<i32>, tensor<i32>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}
