// Each row is added to three times: of the loop that says how often, only the places know the extent.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
#rk = affine_map<(n, m, r, k) -> (r, k)>
#k = affine_map<(n, m, r, k) -> (k, m)>
#o = affine_map<(n, m, r, k) -> (n, m)>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<8x6xf32>, %u: tensor<5x6xf32>) -> (tensor<8x6xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x6xf32>
  %e = tensor.empty() : tensor<3x5xi64>
  %at = linalg.generic {indexing_maps = [affine_map<(r,k)->(r,k)>], iterator_types = ["parallel","parallel"]} outs(%e : tensor<3x5xi64>) {
  ^bb0(%o: i64):
    %k = linalg.index 1 : index
    %i = arith.index_cast %k : index to i64
    linalg.yield %i : i64
  } -> tensor<3x5xi64>
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [#rk, #k, #o], iterator_types = ["parallel","parallel","reduction","reduction"]}
    ins(%at, %u : tensor<3x5xi64>, tensor<5x6xf32>) outs(%x : tensor<8x6xf32>) {
  ^bb0(%a: i64, %v: f32, %old: f32):
    %n = linalg.index 0 : index
    %p = arith.index_cast %a : i64 to index
    %c = arith.cmpi eq, %n, %p : index
    %w = arith.select %c, %v, %zero : f32
    %sum = arith.addf %old, %w : f32
    linalg.yield %sum : f32
  } -> tensor<8x6xf32>
  return %y : tensor<8x6xf32>
}
