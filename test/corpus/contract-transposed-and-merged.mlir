// Products of operands that are transposed and merged: dimensions that stayed together, batches that
// a transpose parted in both operands or in one, heads innermost, and an initial value that counts.
// RUN-CHECK: --grid 1,2,2x2,3x1 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<4x12x32xf32>, %b: tensor<48x24xf32>, %q_in: tensor<4x16x6x8xf32>,
                %k: tensor<4x16x6x8xf32>, %v: tensor<24x8x16xf32>, %c: tensor<24x16x16xf32>,
                %h: tensor<4x16x8x6xf32>)
    -> (tensor<32x24xf32>, tensor<24x16x16xf32>, tensor<24x16x16xf32>, tensor<24x16x16xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<4x12x32xf32>
  %q = shard.shard %q_in to %s : tensor<4x16x6x8xf32>
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<32x4x12xf32>
  %t0 = linalg.transpose ins(%a : tensor<4x12x32xf32>) outs(%e0 : tensor<32x4x12xf32>) permutation = [2, 0, 1]
  %m0 = tensor.collapse_shape %t0 [[0], [1, 2]] : tensor<32x4x12xf32> into tensor<32x48xf32>
  %o0 = tensor.empty() : tensor<32x24xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%o0 : tensor<32x24xf32>) -> tensor<32x24xf32>
  %r0 = linalg.matmul ins(%m0, %b : tensor<32x48xf32>, tensor<48x24xf32>) outs(%f0 : tensor<32x24xf32>) -> tensor<32x24xf32>

  %e1 = tensor.empty() : tensor<4x6x16x8xf32>
  %t1 = linalg.transpose ins(%q : tensor<4x16x6x8xf32>) outs(%e1 : tensor<4x6x16x8xf32>) permutation = [0, 2, 1, 3]
  %m1 = tensor.collapse_shape %t1 [[0, 1], [2], [3]] : tensor<4x6x16x8xf32> into tensor<24x16x8xf32>
  %e2 = tensor.empty() : tensor<4x6x8x16xf32>
  %t2 = linalg.transpose ins(%k : tensor<4x16x6x8xf32>) outs(%e2 : tensor<4x6x8x16xf32>) permutation = [0, 2, 3, 1]
  %m2 = tensor.collapse_shape %t2 [[0, 1], [2], [3]] : tensor<4x6x8x16xf32> into tensor<24x8x16xf32>
  %o1 = tensor.empty() : tensor<24x16x16xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%o1 : tensor<24x16x16xf32>) -> tensor<24x16x16xf32>
  %r1 = linalg.batch_matmul ins(%m1, %m2 : tensor<24x16x8xf32>, tensor<24x8x16xf32>) outs(%f1 : tensor<24x16x16xf32>) -> tensor<24x16x16xf32>
  %r2 = linalg.batch_matmul ins(%m1, %v : tensor<24x16x8xf32>, tensor<24x8x16xf32>) outs(%c : tensor<24x16x16xf32>) -> tensor<24x16x16xf32>

  %e3 = tensor.empty() : tensor<4x6x16x8xf32>
  %t3 = linalg.transpose ins(%h : tensor<4x16x8x6xf32>) outs(%e3 : tensor<4x6x16x8xf32>) permutation = [0, 3, 1, 2]
  %m3 = tensor.collapse_shape %t3 [[0, 1], [2], [3]] : tensor<4x6x16x8xf32> into tensor<24x16x8xf32>
  %r3 = linalg.batch_matmul ins(%m3, %m2 : tensor<24x16x8xf32>, tensor<24x8x16xf32>) outs(%f1 : tensor<24x16x16xf32>) -> tensor<24x16x16xf32>
  return %r0, %r1, %r2, %r3
      : tensor<32x24xf32>, tensor<24x16x16xf32>, tensor<24x16x16xf32>, tensor<24x16x16xf32>
}
