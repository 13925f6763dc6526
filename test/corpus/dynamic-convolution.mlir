// A padded convolution with strides and a pool, along rows whose number only the launch knows.
// RUN-CHECK: --shape 0=2x9x6x3 --grid 1,2,3,4
// RUN-CHECK: --shape 0=2x5x6x3 --grid 4 --seed 2
// RUN-CHECK: --shape 0=2x24x6x3 --grid 8 --seed 3
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<2x?x6x3xf32>, %k: tensor<3x3x3x4xf32>) -> (tensor<2x?x?x4xf32>, tensor<2x?x?x4xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<2x?x6x3xf32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c1 : tensor<2x?x6x3xf32>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %l: index, %m: index):
    tensor.yield %zero : f32
  } : tensor<2x?x6x3xf32> to tensor<2x?x8x3xf32>
  %nm = arith.subi %n, %c1 : index
  %h = arith.divui %nm, %c2 : index
  %a = arith.addi %h, %c1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty(%a, %c3) : tensor<2x?x?x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x?x4xf32>) -> tensor<2x?x?x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%p, %k : tensor<2x?x8x3xf32>, tensor<3x3x3x4xf32>) outs(%f : tensor<2x?x?x4xf32>) -> tensor<2x?x?x4xf32>
  %w = tensor.empty() : tensor<2x1xf32>
  %am = arith.divui %a, %c2 : index
  %e2 = tensor.empty(%am, %c2) : tensor<2x?x?x4xf32>
  %low = arith.constant -1.0e30 : f32
  %f2 = linalg.fill ins(%low : f32) outs(%e2 : tensor<2x?x?x4xf32>) -> tensor<2x?x?x4xf32>
  %q = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>} ins(%r, %w : tensor<2x?x?x4xf32>, tensor<2x1xf32>) outs(%f2 : tensor<2x?x?x4xf32>) -> tensor<2x?x?x4xf32>
  return %r, %q : tensor<2x?x?x4xf32>, tensor<2x?x?x4xf32>
}
