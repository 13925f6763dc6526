// A tensor whose open annotation says offsets along one dimension does not take several factors along
// another, which no annotation could say beside them.
// RUN-CHECK: --grid 1x2,1x4
shard.grid @grid(shape = 1x2)
func.func @f(%a: tensor<2x10xi64>, %b: tensor<10x4xi64>) -> tensor<2x2xi64> {
  %s = shard.sharding @grid split_axes = [[0], []] sharded_dims_offsets = [0, 10] : !shard.sharding
  %s1 = shard.sharding @grid split_axes = [[], [0, 1]] : !shard.sharding
  %w = shard.shard %b to %s {tessera.open, tessera.flow = "none"} : tensor<10x4xi64>
  %z = arith.constant 0 : i64
  %e = tensor.empty() : tensor<2x4xi64>
  %f = linalg.fill ins(%z : i64) outs(%e : tensor<2x4xi64>) -> tensor<2x4xi64>
  %m = linalg.matmul ins(%a, %w : tensor<2x10xi64>, tensor<10x4xi64>) outs(%f : tensor<2x4xi64>) -> tensor<2x4xi64>
  %l = tensor.extract_slice %m[0, 0] [2, 2] [1, 1] : tensor<2x4xi64> to tensor<2x2xi64>
  %r = tensor.extract_slice %m[0, 2] [2, 2] [1, 1] : tensor<2x4xi64> to tensor<2x2xi64>
  %x = arith.minui %l, %r : tensor<2x2xi64>
  %y = shard.shard %x to %s1 : tensor<2x2xi64>
  return %y : tensor<2x2xi64>
}
