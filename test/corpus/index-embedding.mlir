// An embedding reads a captured table at an index taken from a split tensor of tokens.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
#td = affine_map<(t, d) -> (t, d)>
#t = affine_map<(t, d) -> (t)>
func.func @main(%table: tensor<32x6xf32>, %tokens_in: tensor<10xi32> {tessera.range = [0, 32]})
    -> tensor<10x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %tokens = shard.shard %tokens_in to %s : tensor<10xi32>
  %empty = tensor.empty() : tensor<10x6xf32>
  %r = linalg.generic {indexing_maps = [#t, #td], iterator_types = ["parallel", "parallel"]}
      ins(%tokens : tensor<10xi32>) outs(%empty : tensor<10x6xf32>) {
  ^bb0(%token: i32, %out: f32):
    %row = arith.index_cast %token : i32 to index
    %d = linalg.index 1 : index
    %v = tensor.extract %table[%row, %d] : tensor<32x6xf32>
    linalg.yield %v : f32
  } -> tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}
