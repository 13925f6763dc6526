// Read backwards along one dimension and divided along the other: the body of a piece reads both.
// RUN-CHECK: --grid 4,3,2 --seed 1

shard.grid @g(shape = 4)
#in = affine_map<(d0,d1) -> (-d0 + 7, d1 floordiv 2)>
#id = affine_map<(d0,d1) -> (d0,d1)>
func.func @main(%x: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %r = linalg.generic {indexing_maps=[#in,#id], iterator_types=["parallel","parallel"]}
       ins(%a : tensor<8x4xf32>) outs(%e : tensor<8x8xf32>) {
       ^bb0(%v: f32, %o: f32): linalg.yield %v : f32 } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
