// Sums over a split dimension, over one that is not, and over both.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<12x16xf32>) -> (tensor<12xf32>, tensor<16xf32>, tensor<f32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12x16xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<12xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<12xf32>) -> tensor<12xf32>
  %rows = linalg.reduce { arith.addf } ins(%x : tensor<12x16xf32>) outs(%i0 : tensor<12xf32>)
      dimensions = [1]
  %e1 = tensor.empty() : tensor<16xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %columns = linalg.reduce { arith.addf } ins(%x : tensor<12x16xf32>) outs(%i1 : tensor<16xf32>)
      dimensions = [0]
  %e2 = tensor.empty() : tensor<f32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<f32>) -> tensor<f32>
  %all = linalg.reduce { arith.addf } ins(%x : tensor<12x16xf32>) outs(%i2 : tensor<f32>)
      dimensions = [0, 1]
  return %rows, %columns, %all : tensor<12xf32>, tensor<16xf32>, tensor<f32>
}
