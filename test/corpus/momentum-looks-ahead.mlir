// The gradient is a part of the momentum, which the loop carries, and of the weights beside that: each trip
// completes it once for both, and nothing is completed behind the loop.
// RUN-CHECK: --grid 4,2,3
shard.grid @g(shape = 4)
func.func @main(%w_in: tensor<16x8xf32>, %m_in: tensor<16x8xf32>, %x_in: tensor<40x16xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %w0 = shard.shard %w_in to %whole : tensor<16x8xf32>
  %m0 = shard.shard %m_in to %whole : tensor<16x8xf32>
  %x = shard.shard %x_in to %rows : tensor<40x16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %rate = arith.constant dense<0.01> : tensor<16x8xf32>
  %decay = arith.constant dense<0.9> : tensor<16x8xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%w = %w0, %m = %m0) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
    %e = tensor.empty() : tensor<40x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x8xf32>) -> tensor<40x8xf32>
    %h = linalg.matmul ins(%x, %w : tensor<40x16xf32>, tensor<16x8xf32>) outs(%f : tensor<40x8xf32>) -> tensor<40x8xf32>
    %t = math.tanh %h : tensor<40x8xf32>
    %e2 = tensor.empty() : tensor<16x8xf32>
    %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %g = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%x, %t : tensor<40x16xf32>, tensor<40x8xf32>) outs(%f2 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %s = arith.mulf %g, %rate : tensor<16x8xf32>
    %d = arith.mulf %m, %decay : tensor<16x8xf32>
    %m1 = arith.addf %d, %s : tensor<16x8xf32>
    %d1 = arith.mulf %m1, %decay : tensor<16x8xf32>
    %ahead = arith.addf %d1, %s : tensor<16x8xf32>
    %w1 = arith.subf %w, %ahead : tensor<16x8xf32>
    scf.yield %w1, %m1 : tensor<16x8xf32>, tensor<16x8xf32>
  }
  return %r#0, %r#1 : tensor<16x8xf32>, tensor<16x8xf32>
}
