// Two gates from one product, taken apart and joined again for the gradients of its operands.
// RUN-CHECK: --grid 2,3,4,5 --seed 1
shard.grid @g(shape = 4)
#ij = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<9x8xf32>, %w_in: tensor<8x24xf32>) -> (tensor<9x12xf32>, tensor<9x8xf32>, tensor<8x24xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %w = shard.shard %w_in to %s : tensor<8x24xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<9x24xf32>) -> tensor<9x24xf32>
  %y = linalg.matmul ins(%x, %w : tensor<9x8xf32>, tensor<8x24xf32>) outs(%z : tensor<9x24xf32>) -> tensor<9x24xf32>
  %a = tensor.extract_slice %y[0, 0] [9, 12] [1, 1] : tensor<9x24xf32> to tensor<9x12xf32>
  %b = tensor.extract_slice %y[0, 12] [9, 12] [1, 1] : tensor<9x24xf32> to tensor<9x12xf32>
  %c = arith.mulf %a, %b : tensor<9x12xf32>
  %da = arith.mulf %c, %b : tensor<9x12xf32>
  %db = arith.mulf %c, %a : tensor<9x12xf32>
  %j0 = tensor.insert_slice %da into %e[0, 0] [9, 12] [1, 1] : tensor<9x12xf32> into tensor<9x24xf32>
  %dy = tensor.insert_slice %db into %j0[0, 12] [9, 12] [1, 1] : tensor<9x12xf32> into tensor<9x24xf32>
  %te = tensor.empty() : tensor<24x8xf32>
  %wt = linalg.transpose ins(%w : tensor<8x24xf32>) outs(%te : tensor<24x8xf32>) permutation = [1, 0]
  %xe = tensor.empty() : tensor<9x8xf32>
  %xz = linalg.fill ins(%zero : f32) outs(%xe : tensor<9x8xf32>) -> tensor<9x8xf32>
  %dx = linalg.matmul ins(%dy, %wt : tensor<9x24xf32>, tensor<24x8xf32>) outs(%xz : tensor<9x8xf32>) -> tensor<9x8xf32>
  %xte = tensor.empty() : tensor<8x9xf32>
  %xt = linalg.transpose ins(%x : tensor<9x8xf32>) outs(%xte : tensor<8x9xf32>) permutation = [1, 0]
  %we = tensor.empty() : tensor<8x24xf32>
  %wz = linalg.fill ins(%zero : f32) outs(%we : tensor<8x24xf32>) -> tensor<8x24xf32>
  %dw = linalg.matmul ins(%xt, %dy : tensor<8x9xf32>, tensor<9x24xf32>) outs(%wz : tensor<8x24xf32>) -> tensor<8x24xf32>
  return %c, %dx, %dw : tensor<9x12xf32>, tensor<9x8xf32>, tensor<8x24xf32>
}
