// Parts of an axis. Eight devices in a row are two rows of four where four heads are to be split; the
// batch is split over the other half of the same axis, and elsewhere over all of it.
shard.grid @grid(shape = 8)
shard.grid @halves(shape = 2x4)

func.func @main(%input: tensor<64x32xf32>, %heads: tensor<4x32x16xf32>) -> tensor<4x64x16xf32> {
  %rows = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %by_head = shard.sharding @halves split_axes = [[1]] : !shard.sharding
  %x = shard.shard %input to %rows : tensor<64x32xf32>
  %w = shard.shard %heads to %by_head : tensor<4x32x16xf32>
  %result = shard.sharding @halves split_axes = [[1], [0]] : !shard.sharding
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x64x16xf32>) -> tensor<4x64x16xf32>
  %h = linalg.generic {
      indexing_maps = [affine_map<(h, b, o, i) -> (b, i)>, affine_map<(h, b, o, i) -> (h, i, o)>,
                       affine_map<(h, b, o, i) -> (h, b, o)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x32xf32>, tensor<4x32x16xf32>) outs(%f : tensor<4x64x16xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x64x16xf32>
  %y = shard.shard %h to %result : tensor<4x64x16xf32>
  return %y : tensor<4x64x16xf32>
}
