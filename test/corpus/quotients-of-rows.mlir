// Quotients of one divisor a row that later steps of the kernel read again.
// RUN-CHECK: --grid 2
shard.grid @g(shape = 2)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<4x256xf32>) -> tensor<4x256xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x256xf32>
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<4xf32>
  %e2 = tensor.empty() : tensor<4x256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x256xf32>) outs(%zeros : tensor<4xf32>) dimensions = [1]
  %q = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x256xf32>, tensor<4xf32>) outs(%e2 : tensor<4x256xf32>) {
  ^bb0(%a: f32, %t: f32, %out: f32):
    %q = arith.divf %a, %t : f32
    linalg.yield %q : f32
  } -> tensor<4x256xf32>
  %max = linalg.reduce { arith.addf } ins(%q : tensor<4x256xf32>) outs(%zeros : tensor<4xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%q, %max : tensor<4x256xf32>, tensor<4xf32>) outs(%e2 : tensor<4x256xf32>) {
  ^bb0(%a: f32, %t: f32, %out: f32):
    %w = arith.subf %a, %t : f32
    linalg.yield %w : f32
  } -> tensor<4x256xf32>
  return %r : tensor<4x256xf32>
}
