// Elements of a diagonal are places of a table, and those beside it are none.
// RUN-CHECK: --grid 1,2,4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%idx: tensor<8x8xi32>, %t: tensor<8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s0 = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %os = shard.shard %o to %s0 : tensor<8x8xf32>
  %c8 = arith.constant 8 : i32
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8x8xi32>
  %ix = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%idx : tensor<8x8xi32>) outs(%e : tensor<8x8xi32>) {
  ^bb0(%a: i32, %b: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %eq = arith.cmpi eq, %i, %j : index
    %ii = arith.index_cast %i : index to i32
    %big = arith.constant 1000000000 : i32
    %r = arith.select %eq, %ii, %big : i32
    linalg.yield %r : i32
  } -> tensor<8x8xi32>
  %w = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} ins(%ix : tensor<8x8xi32>) outs(%os : tensor<8x8xf32>) {
  ^bb0(%a: i32, %b: f32):
    %k = arith.index_cast %a : i32 to index
    %v = tensor.extract %t[%k] : tensor<8xf32>
    %q = arith.addf %v, %b : f32
    linalg.yield %q : f32
  } -> tensor<8x8xf32>
  return %w : tensor<8x8xf32>
}
