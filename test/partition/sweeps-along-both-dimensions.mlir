// A recurrence down the columns of a field, then one along its rows: the field is turned before each, in two
// messages; what the first carries lies as neither its operand nor its result do.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @sweeps
// CHECK: shard.all_to_all %arg0 {{.*}} : tensor<32x128xf32> -> tensor<128x32xf32>
// CHECK: scf.for
// CHECK: scf.yield {{.*}} : tensor<32xf32>, tensor<128x32xf32>
// CHECK: shard.all_to_all {{.*}} -> tensor<128x32xf32>
// CHECK: scf.for
// CHECK: scf.yield {{.*}} : tensor<32xf32>, tensor<128x32xf32>
func.func @sweeps(%x_in: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128xf32>
  %empty = arith.constant dense<0.0> : tensor<128x128xf32>
  %part = arith.constant dense<0.9> : tensor<128xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %down:2 = scf.for %i = %c0 to %c128 step %c1 iter_args(%s = %none, %all = %empty)
      -> (tensor<128xf32>, tensor<128x128xf32>) {
    %slice = tensor.extract_slice %x[%i, 0] [1, 128] [1, 1] : tensor<128x128xf32> to tensor<1x128xf32>
    %row = tensor.collapse_shape %slice [[0, 1]] : tensor<1x128xf32> into tensor<128xf32>
    %less = arith.mulf %s, %part : tensor<128xf32>
    %next = arith.addf %less, %row : tensor<128xf32>
    %more = tensor.insert_slice %next into %all[%i, 0] [1, 128] [1, 1] : tensor<128xf32> into tensor<128x128xf32>
    scf.yield %next, %more : tensor<128xf32>, tensor<128x128xf32>
  }
  %e0 = tensor.empty() : tensor<128x128xf32>
  %turned = linalg.transpose ins(%down#1 : tensor<128x128xf32>) outs(%e0 : tensor<128x128xf32>) permutation = [1, 0]
  %along:2 = scf.for %i = %c0 to %c128 step %c1 iter_args(%s = %none, %all = %empty)
      -> (tensor<128xf32>, tensor<128x128xf32>) {
    %slice = tensor.extract_slice %turned[%i, 0] [1, 128] [1, 1] : tensor<128x128xf32> to tensor<1x128xf32>
    %row = tensor.collapse_shape %slice [[0, 1]] : tensor<1x128xf32> into tensor<128xf32>
    %less = arith.mulf %s, %part : tensor<128xf32>
    %next = arith.addf %less, %row : tensor<128xf32>
    %more = tensor.insert_slice %next into %all[%i, 0] [1, 128] [1, 1] : tensor<128xf32> into tensor<128x128xf32>
    scf.yield %next, %more : tensor<128xf32>, tensor<128x128xf32>
  }
  %e1 = tensor.empty() : tensor<128x128xf32>
  %back = linalg.transpose ins(%along#1 : tensor<128x128xf32>) outs(%e1 : tensor<128x128xf32>) permutation = [1, 0]
  %r = shard.shard %back to %rows : tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
