// An element that is computed where the second annotation wants it, on the device that has it, and is wanted
// elsewhere behind that: nobody has computed another one, so that it is made as the annotation says, and moved.
// RUN-CHECK: --seed 1
shard.grid @grid(shape = 7)
func.func @main(%a: tensor<5xi64>) -> (tensor<1xi64>) {
  %s2 = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %s3 = shard.sharding @grid split_axes = [[0]] sharded_dims_offsets = [0, 0, 0, 0, 0, 1, 1, 1] : !shard.sharding
  %y = shard.shard %a to %s2 : tensor<5xi64>
  %x = arith.andi %y, %y : tensor<5xi64>
  %t = tensor.extract_slice %x[3] [2] [1] : tensor<5xi64> to tensor<2xi64>
  %e = tensor.empty() : tensor<1xi64>
  %v = linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 1)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t : tensor<2xi64>) outs(%e : tensor<1xi64>) {
  ^bb0(%x0: i64, %o0: i64):
    linalg.yield %x0 : i64
  } -> tensor<1xi64>
  %w = shard.shard %v to %s2 : tensor<1xi64>
  %w2 = shard.shard %w to %s3 : tensor<1xi64>
  %w3 = shard.shard %w2 to %s2 : tensor<1xi64>
  return %w3 : tensor<1xi64>
}
