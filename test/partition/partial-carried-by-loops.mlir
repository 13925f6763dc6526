// What a loop adds up stays partial until after it: one all-reduce, not one in each trip. What is
// completed in each trip anyway, because it is used whole there, is not carried partial.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @accumulate
// CHECK: scf.for
// CHECK: linalg.matmul
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: }
// CHECK: shard.all_reduce {{.*}} : tensor<6x6xf32>
func.func @accumulate(%x_in: tensor<3x8x6xf32>, %w: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<3x8x6xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<6x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zeros) -> (tensor<6x6xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 8, 6] [1, 1, 1] : tensor<3x8x6xf32> to tensor<8x6xf32>
    %e = tensor.empty() : tensor<6x8xf32>
    %t = linalg.transpose ins(%a : tensor<8x6xf32>) outs(%e : tensor<6x8xf32>) permutation = [1, 0]
    %e2 = tensor.empty() : tensor<6x6xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<6x6xf32>) -> tensor<6x6xf32>
    %g = linalg.matmul ins(%t, %a : tensor<6x8xf32>, tensor<8x6xf32>) outs(%z : tensor<6x6xf32>) -> tensor<6x6xf32>
    %next = arith.addf %acc, %g : tensor<6x6xf32>
    scf.yield %next : tensor<6x6xf32>
  }
  %0 = arith.subf %w, %sum : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// CHECK-LABEL: func.func @accumulate_while
// CHECK: scf.while
// CHECK: linalg.matmul
// CHECK: scf.yield
// CHECK: }
// CHECK: shard.all_reduce {{.*}} : tensor<6x6xf32>
func.func @accumulate_while(%x_in: tensor<3x8x6xf32>, %w: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<3x8x6xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<6x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n, %sum = scf.while (%i = %c0, %acc = %zeros) : (index, tensor<6x6xf32>) -> (index, tensor<6x6xf32>) {
    %more = arith.cmpi slt, %i, %c3 : index
    scf.condition(%more) %i, %acc : index, tensor<6x6xf32>
  } do {
  ^bb0(%i: index, %acc: tensor<6x6xf32>):
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 8, 6] [1, 1, 1] : tensor<3x8x6xf32> to tensor<8x6xf32>
    %e = tensor.empty() : tensor<6x8xf32>
    %t = linalg.transpose ins(%a : tensor<8x6xf32>) outs(%e : tensor<6x8xf32>) permutation = [1, 0]
    %e2 = tensor.empty() : tensor<6x6xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<6x6xf32>) -> tensor<6x6xf32>
    %g = linalg.matmul ins(%t, %a : tensor<6x8xf32>, tensor<8x6xf32>) outs(%z : tensor<6x6xf32>) -> tensor<6x6xf32>
    %next = arith.addf %acc, %g : tensor<6x6xf32>
    %after = arith.addi %i, %c1 : index
    scf.yield %after, %next : index, tensor<6x6xf32>
  }
  %0 = arith.subf %w, %sum : tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// CHECK-LABEL: func.func @used_whole
// CHECK: scf.for
// CHECK: shard.all_reduce {{.*}} : tensor<6xf32>
// CHECK: math.exp
// CHECK: scf.yield
func.func @used_whole(%x_in: tensor<800x6xf32>, %w: tensor<6xf32>) -> tensor<6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<800x6xf32>
  %zeros = arith.constant dense<0.0> : tensor<6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %w) -> (tensor<6xf32>) {
    %p = linalg.reduce { arith.addf } ins(%x : tensor<800x6xf32>) outs(%zeros : tensor<6xf32>) dimensions = [0]
    %b = arith.addf %acc, %p : tensor<6xf32>
    %next = math.exp %b : tensor<6xf32>
    scf.yield %next : tensor<6xf32>
  }
  return %sum : tensor<6xf32>
}

// Kept of each trip is what the trip begins with, which is used whole: that it is carried partial
// would rest on itself.
// CHECK-LABEL: func.func @kept_of_each_trip
// CHECK: scf.for
// CHECK: shard.all_reduce {{.*}} : tensor<6x4xf32>
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: }
// CHECK: math.exp
func.func @kept_of_each_trip(%x: tensor<6x4xf32>, %w_in: tensor<4x8xf32>) -> tensor<3x6x4xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %w = shard.shard %w_in to %s : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<3x6x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %x, %all = %zeros) -> (tensor<6x4xf32>, tensor<3x6x4xf32>) {
    %e = tensor.empty() : tensor<6x8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
    %a = linalg.matmul ins(%h, %w : tensor<6x4xf32>, tensor<4x8xf32>) outs(%z : tensor<6x8xf32>) -> tensor<6x8xf32>
    %t = math.tanh %a : tensor<6x8xf32>
    %e2 = tensor.empty() : tensor<8x4xf32>
    %v = linalg.transpose ins(%w : tensor<4x8xf32>) outs(%e2 : tensor<8x4xf32>) permutation = [1, 0]
    %e3 = tensor.empty() : tensor<6x4xf32>
    %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %p = linalg.matmul ins(%t, %v : tensor<6x8xf32>, tensor<8x4xf32>) outs(%z3 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %next = arith.addf %h, %p : tensor<6x4xf32>
    %one = tensor.expand_shape %h [[0, 1], [2]] output_shape [1, 6, 4] : tensor<6x4xf32> into tensor<1x6x4xf32>
    %kept = tensor.insert_slice %one into %all[%i, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<1x6x4xf32> into tensor<3x6x4xf32>
    scf.yield %next, %kept : tensor<6x4xf32>, tensor<3x6x4xf32>
  }
  %0 = math.exp %r#1 : tensor<3x6x4xf32>
  return %0 : tensor<3x6x4xf32>
}

// What is kept is completed in each trip for another use: it is not kept partial.
// CHECK-LABEL: func.func @kept_and_used_whole
// CHECK: scf.for
// CHECK: shard.all_reduce {{.*}} : tensor<6x4xf32>
// CHECK: math.tanh
// CHECK: scf.yield
// CHECK: }
// CHECK: scf.for
// CHECK: math.exp
func.func @kept_and_used_whole(%x: tensor<6x4xf32>, %w_in: tensor<3x8x4xf32>, %a_in: tensor<6x8xf32>) -> tensor<6x4xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %w = shard.shard %w_in to %s : tensor<3x8x4xf32>
  %a = shard.shard %a_in to %s : tensor<6x8xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<3x6x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %x, %all = %zeros) -> (tensor<6x4xf32>, tensor<3x6x4xf32>) {
    %wi = tensor.extract_slice %w[%i, 0, 0] [1, 8, 4] [1, 1, 1] : tensor<3x8x4xf32> to tensor<8x4xf32>
    %e3 = tensor.empty() : tensor<6x4xf32>
    %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %p = linalg.matmul ins(%a, %wi : tensor<6x8xf32>, tensor<8x4xf32>) outs(%z3 : tensor<6x4xf32>) -> tensor<6x4xf32>
    %q = arith.addf %h, %p : tensor<6x4xf32>
    %next = math.tanh %q : tensor<6x4xf32>
    %one = tensor.expand_shape %q [[0, 1], [2]] output_shape [1, 6, 4] : tensor<6x4xf32> into tensor<1x6x4xf32>
    %kept = tensor.insert_slice %one into %all[%i, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<1x6x4xf32> into tensor<3x6x4xf32>
    scf.yield %next, %kept : tensor<6x4xf32>, tensor<3x6x4xf32>
  }
  %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%g = %r#0) -> (tensor<6x4xf32>) {
    %one = tensor.extract_slice %r#1[%i, 0, 0] [1, 6, 4] [1, 1, 1] : tensor<3x6x4xf32> to tensor<6x4xf32>
    %e = math.exp %one : tensor<6x4xf32>
    %m = arith.mulf %g, %e : tensor<6x4xf32>
    scf.yield %m : tensor<6x4xf32>
  }
  return %t : tensor<6x4xf32>
}
