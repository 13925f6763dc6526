// Gradients of micro-batches, which are split, are summed up in a loop, and a weight is updated behind it: each
// device runs the trips of its own and one sum moves, though every device then computes the whole update.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s
#id = affine_map<(i, j) -> (i, j)>
shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @main
// CHECK-NOT: shard.all_gather
// CHECK: scf.for
// CHECK-NOT: shard.all_
// CHECK: scf.yield
// CHECK: shard.all_reduce
// CHECK-NOT: shard.all_
func.func @main(%x_in: tensor<16x16x32xf32>, %y_in: tensor<16x16x16xf32>, %w: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x16x32xf32>
  %y = shard.shard %y_in to %s : tensor<16x16x16xf32>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0 : index
  %step = arith.constant 1 : index
  %high = arith.constant 16 : index
  %ew = tensor.empty() : tensor<32x16xf32>
  %eo = tensor.empty() : tensor<16x16xf32>
  %none = linalg.fill ins(%zero : f32) outs(%ew : tensor<32x16xf32>) -> tensor<32x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%eo : tensor<16x16xf32>) -> tensor<16x16xf32>
  %sum = scf.for %k = %low to %high step %step iter_args(%g = %none) -> (tensor<32x16xf32>) {
    %a = tensor.extract_slice %x[%k, 0, 0] [1, 16, 32] [1, 1, 1] : tensor<16x16x32xf32> to tensor<16x32xf32>
    %out = linalg.matmul ins(%a, %w : tensor<16x32xf32>, tensor<32x16xf32>) outs(%start : tensor<16x16xf32>) -> tensor<16x16xf32>
    %b = tensor.extract_slice %y[%k, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<16x16x16xf32> to tensor<16x16xf32>
    %error = arith.subf %out, %b : tensor<16x16xf32>
    %et = tensor.empty() : tensor<32x16xf32>
    %t = linalg.transpose ins(%a : tensor<16x32xf32>) outs(%et : tensor<32x16xf32>) permutation = [1, 0]
    %gradient = linalg.matmul ins(%t, %error : tensor<32x16xf32>, tensor<16x16xf32>) outs(%none : tensor<32x16xf32>) -> tensor<32x16xf32>
    %next = arith.addf %g, %gradient : tensor<32x16xf32>
    scf.yield %next : tensor<32x16xf32>
  }
  %new = arith.subf %w, %sum : tensor<32x16xf32>
  return %new : tensor<32x16xf32>
}
