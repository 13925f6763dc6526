// A constant partial by an average over one axis and a sum over the other counts once in the sum.
// RUN-CHECK: --grid 2x2,3x2,2x3 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %p = "shard.sharding"() {grid = @g, split_axes = #shard<axisarray[[]]>, static_halo_sizes = array<i64>, static_sharded_dims_offsets = array<i64>, operandSegmentSizes = array<i32: 0, 0>, tessera.partial = [[0, #shard<partial average>], [1, #shard<partial sum>]]} : () -> !shard.sharding
  %x = shard.shard %x_in to %p : tensor<8xf32>
  %k = arith.constant dense<3.0> : tensor<8xf32>
  %ks = shard.shard %k to %p : tensor<8xf32>
  %r = arith.addf %ks, %x : tensor<8xf32>
  return %r, %ks, %x : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
