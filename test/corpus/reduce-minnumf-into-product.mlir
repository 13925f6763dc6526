// A minnumf reduction whose result is contracted over a split dimension.
// RUN-CHECK: --grid 1,2,4 --seed 1
shard.grid @grid(shape = 2)
func.func @main(%x: tensor<6x2x4xf32>, %b: tensor<4x12xf32>) -> (tensor<2x12xf32>, tensor<2x4xf32>) {
  %sk = shard.sharding @grid split_axes = [[0], []] : !shard.sharding
  %sr = shard.sharding @grid split_axes = [[]] : !shard.sharding
  %x0 = shard.shard %x to %sr : tensor<6x2x4xf32>
  %b0 = shard.shard %b to %sk : tensor<4x12xf32>
  %c0 = arith.constant dense<1.0e30> : tensor<2x4xf32>
  %m = linalg.reduce { arith.minnumf } ins(%x0 : tensor<6x2x4xf32>) outs(%c0 : tensor<2x4xf32>) dimensions = [0]
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x12xf32>) -> tensor<2x12xf32>
  %y = linalg.matmul ins(%m, %b0 : tensor<2x4xf32>, tensor<4x12xf32>) outs(%f : tensor<2x12xf32>) -> tensor<2x12xf32>
  return %y, %m : tensor<2x12xf32>, tensor<2x4xf32>
}
