// Weights that are gathered once for a step and its gradient, which is scattered; a chain whose ends
// and middle want different layouts.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<48x16xf32>, %y_in: tensor<48x8xf32>, %w_in: tensor<16x8xf32>, %q_in: tensor<12x8x4xf32>)
    -> (tensor<16x8xf32>, tensor<48x16xf32>, tensor<12x8x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<48x16xf32>
  %y = shard.shard %y_in to %rows : tensor<48x8xf32>
  %w = shard.shard %w_in to %rows : tensor<16x8xf32>
  %q = shard.shard %q_in to %rows : tensor<12x8x4xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<48x8xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<48x8xf32>) -> tensor<48x8xf32>
  %h = linalg.matmul ins(%x, %w : tensor<48x16xf32>, tensor<16x8xf32>) outs(%z0 : tensor<48x8xf32>) -> tensor<48x8xf32>
  %d = arith.subf %h, %y : tensor<48x8xf32>
  %ex = tensor.empty() : tensor<16x48xf32>
  %xt = linalg.transpose ins(%x : tensor<48x16xf32>) outs(%ex : tensor<16x48xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<16x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16x8xf32>) -> tensor<16x8xf32>
  %dw = linalg.matmul ins(%xt, %d : tensor<16x48xf32>, tensor<48x8xf32>) outs(%z1 : tensor<16x8xf32>) -> tensor<16x8xf32>
  %new = arith.subf %w, %dw : tensor<16x8xf32>
  %new_rows = shard.shard %new to %rows : tensor<16x8xf32>
  %et = tensor.empty() : tensor<8x16xf32>
  %wt = linalg.transpose ins(%w : tensor<16x8xf32>) outs(%et : tensor<8x16xf32>) permutation = [1, 0]
  %e2 = tensor.empty() : tensor<48x16xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<48x16xf32>) -> tensor<48x16xf32>
  %dx = linalg.matmul ins(%d, %wt : tensor<48x8xf32>, tensor<8x16xf32>) outs(%z2 : tensor<48x16xf32>) -> tensor<48x16xf32>
  %es = tensor.empty() : tensor<8x4xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<8x4xf32>) -> tensor<8x4xf32>
  %sum = linalg.reduce { arith.addf } ins(%q : tensor<12x8x4xf32>) outs(%zs : tensor<8x4xf32>) dimensions = [0]
  %exp = math.exp %sum : tensor<8x4xf32>
  %eb = tensor.empty() : tensor<12x8x4xf32>
  %b = linalg.broadcast ins(%exp : tensor<8x4xf32>) outs(%eb : tensor<12x8x4xf32>) dimensions = [0]
  %r = arith.divf %q, %b : tensor<12x8x4xf32>
  return %new_rows, %dx, %r : tensor<16x8xf32>, tensor<48x16xf32>, tensor<12x8x4xf32>
}
