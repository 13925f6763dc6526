// The gradients of a layer and its loss, of several shapes and none, share one all-reduce.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x5xf32>, %w: tensor<5x3xf32>, %b: tensor<3xf32>)
    -> (tensor<f32>, tensor<5x3xf32>, tensor<3xf32>, tensor<3x3xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x3xf32>
  %bias = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<12x3xf32>) dimensions = [0]
  %h = linalg.matmul ins(%x, %w : tensor<12x5xf32>, tensor<5x3xf32>) outs(%bias : tensor<12x3xf32>) -> tensor<12x3xf32>
  %y = math.tanh %h : tensor<12x3xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %loss = linalg.reduce { arith.addf } ins(%y : tensor<12x3xf32>) outs(%f0 : tensor<f32>) dimensions = [0, 1]
  %e1 = tensor.empty() : tensor<5x3xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %dw = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%x, %y : tensor<12x5xf32>, tensor<12x3xf32>) outs(%f1 : tensor<5x3xf32>) -> tensor<5x3xf32>
  %next_w = arith.subf %w, %dw : tensor<5x3xf32>
  %e2 = tensor.empty() : tensor<3xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<3xf32>) -> tensor<3xf32>
  %db = linalg.reduce { arith.addf } ins(%y : tensor<12x3xf32>) outs(%f2 : tensor<3xf32>) dimensions = [0]
  %next_b = arith.subf %b, %db : tensor<3xf32>
  %e3 = tensor.empty() : tensor<3x3xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<3x3xf32>) -> tensor<3x3xf32>
  %covariance = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%y, %y : tensor<12x3xf32>, tensor<12x3xf32>) outs(%f3 : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %loss, %next_w, %next_b, %covariance : tensor<f32>, tensor<5x3xf32>, tensor<3xf32>, tensor<3x3xf32>
}
