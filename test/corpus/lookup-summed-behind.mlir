// Rows of a split table that are summed up behind the lookup.
// RUN-CHECK: --grid 1,2,4 --seed 1 --range 1=0:64
shard.grid @g(shape = 4)
func.func @main(%table_in: tensor<64x6xf32>, %tokens: tensor<10x16xi32>) -> tensor<10x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %table = shard.shard %table_in to %s : tensor<64x6xf32>
  %empty = tensor.empty() : tensor<10x16x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, t, d) -> (b, t)>, affine_map<(b, t, d) -> (b, t, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%tokens : tensor<10x16xi32>) outs(%empty : tensor<10x16x6xf32>) {
  ^bb0(%token: i32, %out: f32):
    %row = arith.index_cast %token : i32 to index
    %d = linalg.index 2 : index
    %v = tensor.extract %table[%row, %d] : tensor<64x6xf32>
    linalg.yield %v : f32
  } -> tensor<10x16x6xf32>
  %zero = arith.constant dense<0.0> : tensor<10x6xf32>
  %sums = linalg.reduce { arith.addf } ins(%r : tensor<10x16x6xf32>) outs(%zero : tensor<10x6xf32>) dimensions = [1]
  return %sums : tensor<10x6xf32>
}
