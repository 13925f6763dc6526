// A product that is the same in each trip is completed once, before the loops: that costs less than to
// complete in each trip what is multiplied with its parts.
// RUN-CHECK: --grid 4,2,3
shard.grid @g(shape = 4)
func.func @main(%w_in: tensor<16x8xf32>, %x_in: tensor<40x16xf32>) -> tensor<16x8xf32> {
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %w0 = shard.shard %w_in to %whole : tensor<16x8xf32>
  %x = shard.shard %x_in to %rows : tensor<40x16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %rate = arith.constant dense<0.01> : tensor<16x8xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%v = %w0) -> (tensor<16x8xf32>) {
    %inner = scf.for %j = %c0 to %c4 step %c1 iter_args(%w = %v) -> (tensor<16x8xf32>) {
      %e = tensor.empty() : tensor<16x16xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
      %g = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
          ins(%x, %x : tensor<40x16xf32>, tensor<40x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
      %e2 = tensor.empty() : tensor<16x8xf32>
      %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x8xf32>) -> tensor<16x8xf32>
      %p = linalg.matmul ins(%g, %w : tensor<16x16xf32>, tensor<16x8xf32>) outs(%f2 : tensor<16x8xf32>) -> tensor<16x8xf32>
      %s = arith.mulf %p, %rate : tensor<16x8xf32>
      %w1 = arith.subf %w, %s : tensor<16x8xf32>
      scf.yield %w1 : tensor<16x8xf32>
    }
    scf.yield %inner : tensor<16x8xf32>
  }
  return %r : tensor<16x8xf32>
}
