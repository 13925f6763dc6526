// A sum that all threads of a row have read, that one adds to, and that all read again.
// RUN-CHECK: --grid 2
shard.grid @g(shape = 2)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<4x1100xf32>, %y: tensor<4x1500xf32>) -> (tensor<4x1100xf32>, tensor<4x1500xf32>, tensor<4xf32>) {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x1100xf32>
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x1100xf32>
  %e3 = tensor.empty() : tensor<4x1500xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x1100xf32>) outs(%zs : tensor<4xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x1100xf32>, tensor<4xf32>) outs(%e2 : tensor<4x1100xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %g = arith.addf %a, %b : f32
    linalg.yield %g : f32
  } -> tensor<4x1100xf32>
  %s2 = linalg.reduce { arith.addf } ins(%r : tensor<4x1100xf32>) outs(%sum : tensor<4xf32>) dimensions = [1]
  %r2 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%y, %s2 : tensor<4x1500xf32>, tensor<4xf32>) outs(%e3 : tensor<4x1500xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %g = arith.addf %a, %b : f32
    linalg.yield %g : f32
  } -> tensor<4x1500xf32>
  return %r, %r2, %s2 : tensor<4x1100xf32>, tensor<4x1500xf32>, tensor<4xf32>
}
