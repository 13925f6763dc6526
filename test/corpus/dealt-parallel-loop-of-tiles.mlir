// Parallel loops over two dimensions, of a tensor that is split along them: each device runs what lies in its piece.
// RUN-CHECK: --grid 1x2,2x1,2x2,4x1,3x2 --seed 3
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<8x6xf32>, %b: tensor<6xf32>) -> tensor<8x6xf32> {
  %tiles = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %tiles : tensor<8x6xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (8, 6) step (2, 1) shared_outs(%o = %e) -> tensor<8x6xf32> {
    %a = tensor.extract_slice %x[%i, %j] [2, 1] [1, 1] : tensor<8x6xf32> to tensor<2x1xf32>
    %c = tensor.extract_slice %b[%j] [1] [1] : tensor<6xf32> to tensor<1xf32>
    %d = tensor.empty() : tensor<2x1xf32>
    %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%a, %c : tensor<2x1xf32>, tensor<1xf32>) outs(%d : tensor<2x1xf32>) {
    ^bb0(%u: f32, %v: f32, %w: f32):
      %t = math.tanh %u : f32
      %s = arith.addf %t, %v : f32
      linalg.yield %s : f32
    } -> tensor<2x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%i, %j] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<8x6xf32>
    }
  }
  %s = shard.shard %r to %tiles : tensor<8x6xf32>
  return %s : tensor<8x6xf32>
}
