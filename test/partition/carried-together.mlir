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

// Two buffers that take turns: both lie as what is written to them does.
// CHECK-LABEL: func.func @take_turns
// CHECK: shard.all_to_all {{.*}} split_axis = 1 concat_axis = 0 : tensor<16x128xf32> -> tensor<64x32xf32>
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} -> (tensor<64x32xf32>, tensor<64x32xf32>)
// CHECK: shard.all_to_all {{.*}} : tensor<64x32xf32> -> tensor<16x128xf32>
// CHECK: shard.all_to_all {{.*}} : tensor<64x32xf32> -> tensor<16x128xf32>
func.func @take_turns(%x_in: tensor<64x128xf32>, %y: tensor<64x128xf32>, %z: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<64x128xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%u = %y, %v = %z) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 128] [1, 1] : tensor<64x128xf32> to tensor<128xf32>
    %b = math.tanh %a : tensor<128xf32>
    %n = tensor.insert_slice %b into %u[%i, 0] [1, 128] [1, 1] : tensor<128xf32> into tensor<64x128xf32>
    scf.yield %v, %n : tensor<64x128xf32>, tensor<64x128xf32>
  }
  %o = shard.shard %r#0 to %rows : tensor<64x128xf32>
  %p = shard.shard %r#1 to %rows : tensor<64x128xf32>
  return %o, %p : tensor<64x128xf32>, tensor<64x128xf32>
}

// What moves behind a loop moves once, however many trips it has: to deal them out would cost more.
// CHECK-LABEL: func.func @built_and_summed
// CHECK: scf.for {{.*}} -> (tensor<64x1xf32>, tensor<16xf32>)
// CHECK: shard.all_to_all {{.*}} : tensor<64x1xf32> -> tensor<16x4xf32>
func.func @built_and_summed(%x_in: tensor<64x64xf32>, %t_in: tensor<64x4xf32>) -> (tensor<64x4xf32>, tensor<64xf32>) {
  %cols = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %cols : tensor<64x64xf32>
  %t = shard.shard %t_in to %cols : tensor<64x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant dense<0.0> : tensor<64x4xf32>
  %s0 = arith.constant dense<0.0> : tensor<64xf32>
  %r:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%y = %z, %s = %s0) -> (tensor<64x4xf32>, tensor<64xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<64x64xf32> to tensor<64xf32>
    %b = math.tanh %a : tensor<64xf32>
    %q = arith.addf %s, %b : tensor<64xf32>
    %c = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<64x4xf32> to tensor<4xf32>
    %d = math.tanh %c : tensor<4xf32>
    %n = tensor.insert_slice %d into %y[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<64x4xf32>
    scf.yield %n, %q : tensor<64x4xf32>, tensor<64xf32>
  }
  %o = shard.shard %r#0 to %rows : tensor<64x4xf32>
  return %o, %r#1 : tensor<64x4xf32>, tensor<64xf32>
}
