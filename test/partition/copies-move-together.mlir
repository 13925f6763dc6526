// Two copies of one value, each turned and merged in its own way, are used split over another dimension
// than the value is made: it moves once, rather than each of them.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange)}}'
shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @main
// CHECK: linalg.batch_matmul {{.*}} -> tensor<2x128x32xf32>
// CHECK: shard.all_to_all
// CHECK: linalg.batch_matmul {{.*}} -> tensor<2x64x32xf32>
// CHECK: linalg.batch_matmul {{.*}} -> tensor<2x64x128xf32>
func.func @main(%x_in: tensor<8x8x16x64xf32>, %w_in: tensor<8x64x32xf32>, %a_in: tensor<8x64x8x16xf32>)
    -> (tensor<8x64x32xf32>, tensor<8x64x8x16xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x4 = shard.shard %x_in to %s : tensor<8x8x16x64xf32>
  %w = shard.shard %w_in to %s : tensor<8x64x32xf32>
  %a4 = shard.shard %a_in to %s : tensor<8x64x8x16xf32>
  %zero = arith.constant 0.0 : f32
  %x = tensor.collapse_shape %x4 [[0], [1, 2], [3]] : tensor<8x8x16x64xf32> into tensor<8x128x64xf32>
  %ep = tensor.empty() : tensor<8x128x32xf32>
  %zp = linalg.fill ins(%zero : f32) outs(%ep : tensor<8x128x32xf32>) -> tensor<8x128x32xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<8x128x64xf32>, tensor<8x64x32xf32>) outs(%zp : tensor<8x128x32xf32>) -> tensor<8x128x32xf32>
  %v = tensor.expand_shape %p [[0], [1, 2], [3]] output_shape [8, 8, 16, 32] : tensor<8x128x32xf32> into tensor<8x8x16x32xf32>
  %ea = tensor.empty() : tensor<8x64x16x8xf32>
  %at = linalg.transpose ins(%a4 : tensor<8x64x8x16xf32>) outs(%ea : tensor<8x64x16x8xf32>) permutation = [0, 1, 3, 2]
  %et = tensor.empty() : tensor<8x16x8x32xf32>
  %t = linalg.transpose ins(%v : tensor<8x8x16x32xf32>) outs(%et : tensor<8x16x8x32xf32>) permutation = [1, 2, 0, 3]
  %a = tensor.collapse_shape %at [[0], [1], [2, 3]] : tensor<8x64x16x8xf32> into tensor<8x64x128xf32>
  %tc = tensor.collapse_shape %t [[0], [1, 2], [3]] : tensor<8x16x8x32xf32> into tensor<8x128x32xf32>
  %e0 = tensor.empty() : tensor<8x64x32xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
  %0 = linalg.batch_matmul ins(%a, %tc : tensor<8x64x128xf32>, tensor<8x128x32xf32>) outs(%z0 : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
  %b = math.tanh %0 : tensor<8x64x32xf32>
  %eu = tensor.empty() : tensor<8x32x8x16xf32>
  %u = linalg.transpose ins(%v : tensor<8x8x16x32xf32>) outs(%eu : tensor<8x32x8x16xf32>) permutation = [1, 3, 0, 2]
  %uc = tensor.collapse_shape %u [[0], [1], [2, 3]] : tensor<8x32x8x16xf32> into tensor<8x32x128xf32>
  %e1 = tensor.empty() : tensor<8x64x128xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32>
  %1 = linalg.batch_matmul ins(%b, %uc : tensor<8x64x32xf32>, tensor<8x32x128xf32>) outs(%z1 : tensor<8x64x128xf32>) -> tensor<8x64x128xf32>
  %r = tensor.expand_shape %1 [[0], [1], [2, 3]] output_shape [8, 64, 8, 16] : tensor<8x64x128xf32> into tensor<8x64x8x16xf32>
  return %0, %r : tensor<8x64x32xf32>, tensor<8x64x8x16xf32>
}
