// A recurrence over rows that are split: what a loop carries and what it collects change together, so that the rows
// are turned to their other dimension once before the loop, and what is collected back behind it, in place of all rows
// on every device.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @recurrence
// CHECK: %[[H:.*]] = shard.all_slice {{.*}} slice_axis = 0 : tensor<16x32xf32> -> tensor<4x32xf32>
// CHECK: %[[X:.*]] = shard.all_to_all {{.*}} split_axis = 1 concat_axis = 0 : tensor<16x16x32xf32> -> tensor<64x4x32xf32>
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} -> (tensor<4x32xf32>, tensor<64x4x32xf32>)
// CHECK: tensor.extract_slice %[[X]]
// CHECK: linalg.matmul
// CHECK: tensor.insert_slice
// CHECK: shard.all_to_all %[[R]]#1 {{.*}} split_axis = 0 concat_axis = 1 : tensor<64x4x32xf32> -> tensor<16x16x32xf32>
func.func @recurrence(%x_in: tensor<64x16x32xf32>, %w: tensor<32x32xf32>, %h0: tensor<16x32xf32>)
    -> tensor<64x16x32xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x16x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %all = tensor.empty() : tensor<64x16x32xf32>
  %one = tensor.empty() : tensor<16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%one : tensor<16x32xf32>) -> tensor<16x32xf32>
  %r:2 = scf.for %t = %c0 to %c64 step %c1 iter_args(%h = %h0, %hs = %all)
      -> (tensor<16x32xf32>, tensor<64x16x32xf32>) {
    %row = tensor.extract_slice %x[%t, 0, 0] [1, 16, 32] [1, 1, 1]
        : tensor<64x16x32xf32> to tensor<16x32xf32>
    %m = linalg.matmul ins(%h, %w : tensor<16x32xf32>, tensor<32x32xf32>)
        outs(%f : tensor<16x32xf32>) -> tensor<16x32xf32>
    %sum = arith.addf %m, %row : tensor<16x32xf32>
    %next = math.tanh %sum : tensor<16x32xf32>
    %kept = tensor.insert_slice %next into %hs[%t, 0, 0] [1, 16, 32] [1, 1, 1]
        : tensor<16x32xf32> into tensor<64x16x32xf32>
    scf.yield %next, %kept : tensor<16x32xf32>, tensor<64x16x32xf32>
  }
  return %r#1 : tensor<64x16x32xf32>
}
