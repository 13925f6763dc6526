// A loop carries what the function returns otherwise than it returns it, from one of two blocks.
// RUN-CHECK: --grid 1,2,3,4
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<64x64xf64>, %w_in: tensor<64x64xf32>, %b: i1) -> tensor<64x64xf32> {
  %small = arith.constant dense<1.0e-02> : tensor<64x64xf32> // so that rounding does not grow
  %w = arith.mulf %w_in, %small : tensor<64x64xf32>
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %xa = shard.shard %x_in to %columns : tensor<64x64xf64>
  %x = arith.truncf %xa : tensor<64x64xf64> to tensor<64x64xf32>
  %ya = shard.shard %x_in to %rows : tensor<64x64xf64>
  %y0 = arith.truncf %ya : tensor<64x64xf64> to tensor<64x64xf32>
  cf.cond_br %b, ^bb1, ^bb2
^bb1:
  %r = scf.for %i0 = %c0 to %c6 step %c1 iter_args(%u0 = %x) -> (tensor<64x64xf32>) {
    %e0 = tensor.empty() : tensor<64x64xf32>
    %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %v0 = linalg.matmul ins(%u0, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f0 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %t0 = math.tanh %v0 : tensor<64x64xf32>
    scf.yield %t0 : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
^bb2:
  %y = math.exp %y0 : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
