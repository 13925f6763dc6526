// The middle one of three dimensions is reduced; the outer ones are split over the other axes.
// RUN-CHECK: --grid 1x2x2,2x1x2,2x2x1,2x2x2,2x1x3 --seed 1
shard.grid @g(shape = 2x2x2)
func.func @main(%x_in: tensor<6x10x8xf32>) -> tensor<6x8xf32> {
  %s = shard.sharding @g split_axes = [[0], [1], [2]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x10x8xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<6x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<6x8xf32>) -> tensor<6x8xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<6x10x8xf32>) outs(%init : tensor<6x8xf32>)
      dimensions = [1]
  return %r : tensor<6x8xf32>
}
