// A batch whose size the launch tells, split over one axis, and hidden units over the other.
// RUN-CHECK: --grid 1x1,2x2,4x1,1x4,3x2 --seed 1 --shape 0=8x16
// RUN-CHECK: --grid 2x2,4x2,3x2 --seed 2 --shape 0=7x16
// RUN-CHECK: --grid 2x2,4x2 --seed 3 --shape 0=1x16
// RUN-CHECK: --grid 2x2,4x1 --seed 4 --shape 0=0x16
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<?x16xf32>, %w1_in: tensor<16x12xf32>, %w2_in: tensor<12x10xf32>) -> tensor<?x10xf32> {
  %by_batch = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %by_columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %by_rows = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %by_batch : tensor<?x16xf32>
  %w1 = shard.shard %w1_in to %by_columns : tensor<16x12xf32>
  %w2 = shard.shard %w2_in to %by_rows : tensor<12x10xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e1 = tensor.empty(%n) : tensor<?x12xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x12xf32>) -> tensor<?x12xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<?x16xf32>, tensor<16x12xf32>) outs(%f1 : tensor<?x12xf32>) -> tensor<?x12xf32>
  %t = math.tanh %h : tensor<?x12xf32>
  %e2 = tensor.empty(%n) : tensor<?x10xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x10xf32>) -> tensor<?x10xf32>
  %y = linalg.matmul ins(%t, %w2 : tensor<?x12xf32>, tensor<12x10xf32>) outs(%f2 : tensor<?x10xf32>) -> tensor<?x10xf32>
  return %y : tensor<?x10xf32>
}
