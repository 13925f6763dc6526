// Pools of images whose sizes only the launch knows, down to one window and to none.
// RUN-CHECK: --grid 1,2,3 --seed 2 --shape 0=3x9x8x5
// RUN-CHECK: --grid 1,2 --seed 2 --shape 0=2x3x3x1
// RUN-CHECK: --grid 1,2 --seed 2 --shape 0=2x2x5x4
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<?x?x?x?xf32>) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x?x?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x?x?xf32>
  %h = tensor.dim %x, %c1 : tensor<?x?x?x?xf32>
  %w = tensor.dim %x, %c2 : tensor<?x?x?x?xf32>
  %c = tensor.dim %x, %c3 : tensor<?x?x?x?xf32>
  %h2 = arith.subi %h, %c2 : index
  %w2 = arith.subi %w, %c2 : index
  %low = arith.constant -0.3 : f32
  %zero = arith.constant 0.0 : f32
  %k = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty(%n, %h2, %w2, %c) : tensor<?x?x?x?xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %m = linalg.pooling_nhwc_max ins(%x, %k : tensor<?x?x?x?xf32>, tensor<3x3xf32>)
      outs(%f : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %a = linalg.pooling_nhwc_sum ins(%x, %k : tensor<?x?x?x?xf32>, tensor<3x3xf32>)
      outs(%g : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %m, %a : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}
