// A sum of a loop stays partial inside, whatever is done with it behind: weights that are split take
// their part of it there, two uses of which one needs it whole have it completed once, and what is
// returned alone lies as its weight does.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[rt]|reduce_scatter|exchange)}}'
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[rt]|reduce_scatter|exchange)}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @step
// CHECK: scf.for
// CHECK: scf.yield {{.*}} : tensor<8x8xf32>
// CHECK: }
// CHECK: shard.reduce_scatter {{.*}} -> tensor<2x8xf32>
// CHECK: arith.subf {{.*}} : tensor<2x8xf32>
func.func @step(%x_in: tensor<3x64x8xf32>, %w_in: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %middle = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %middle : tensor<3x64x8xf32>
  %w = shard.shard %w_in to %rows : tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zeros) -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 64, 8] [1, 1, 1] : tensor<3x64x8xf32> to tensor<64x8xf32>
    %e = tensor.empty() : tensor<64x8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
    %y = linalg.matmul ins(%a, %w : tensor<64x8xf32>, tensor<8x8xf32>) outs(%z : tensor<64x8xf32>) -> tensor<64x8xf32>
    %h = math.tanh %y : tensor<64x8xf32>
    %et = tensor.empty() : tensor<8x64xf32>
    %t = linalg.transpose ins(%a : tensor<64x8xf32>) outs(%et : tensor<8x64xf32>) permutation = [1, 0]
    %eg = tensor.empty() : tensor<8x8xf32>
    %zg = linalg.fill ins(%zero : f32) outs(%eg : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = linalg.matmul ins(%t, %h : tensor<8x64xf32>, tensor<64x8xf32>) outs(%zg : tensor<8x8xf32>) -> tensor<8x8xf32>
    %next = arith.addf %acc, %g : tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %scaled = arith.mulf %sum, %half : tensor<8x8xf32>
  %0 = arith.subf %w, %scaled : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @clipped
// CHECK: scf.for
// CHECK: scf.yield
// CHECK: }
// CHECK: shard.all_reduce {{.*}} : tensor<8x8xf32>
// CHECK: return
func.func @clipped(%x_in: tensor<3x64x8xf32>, %w_in: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %middle = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %middle : tensor<3x64x8xf32>
  %w = shard.shard %w_in to %rows : tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zeros) -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 64, 8] [1, 1, 1] : tensor<3x64x8xf32> to tensor<64x8xf32>
    %e = tensor.empty() : tensor<64x8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
    %y = linalg.matmul ins(%a, %w : tensor<64x8xf32>, tensor<8x8xf32>) outs(%z : tensor<64x8xf32>) -> tensor<64x8xf32>
    %h = math.tanh %y : tensor<64x8xf32>
    %et = tensor.empty() : tensor<8x64xf32>
    %t = linalg.transpose ins(%a : tensor<64x8xf32>) outs(%et : tensor<8x64xf32>) permutation = [1, 0]
    %eg = tensor.empty() : tensor<8x8xf32>
    %zg = linalg.fill ins(%zero : f32) outs(%eg : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = linalg.matmul ins(%t, %h : tensor<8x64xf32>, tensor<64x8xf32>) outs(%zg : tensor<8x8xf32>) -> tensor<8x8xf32>
    %next = arith.addf %acc, %g : tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  %squares = arith.mulf %sum, %sum : tensor<8x8xf32>
  %ef = tensor.empty() : tensor<f32>
  %zf = linalg.fill ins(%zero : f32) outs(%ef : tensor<f32>) -> tensor<f32>
  %norm = linalg.reduce { arith.addf } ins(%squares : tensor<8x8xf32>) outs(%zf : tensor<f32>) dimensions = [0, 1]
  %es = tensor.empty() : tensor<8x8xf32>
  %scales = linalg.broadcast ins(%norm : tensor<f32>) outs(%es : tensor<8x8xf32>) dimensions = [0, 1]
  %scaled = arith.mulf %sum, %scales : tensor<8x8xf32>
  %0 = arith.subf %w, %scaled : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @returned
// CHECK: scf.for
// CHECK: scf.yield
// CHECK: }
// CHECK: shard.reduce_scatter {{.*}} -> tensor<2x8xf32>
// CHECK: return {{.*}} : tensor<2x8xf32>
func.func @returned(%x_in: tensor<3x64x8xf32>, %w_in: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %middle = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %middle : tensor<3x64x8xf32>
  %w = shard.shard %w_in to %rows : tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zeros) -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 64, 8] [1, 1, 1] : tensor<3x64x8xf32> to tensor<64x8xf32>
    %e = tensor.empty() : tensor<64x8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x8xf32>) -> tensor<64x8xf32>
    %y = linalg.matmul ins(%a, %w : tensor<64x8xf32>, tensor<8x8xf32>) outs(%z : tensor<64x8xf32>) -> tensor<64x8xf32>
    %h = math.tanh %y : tensor<64x8xf32>
    %et = tensor.empty() : tensor<8x64xf32>
    %t = linalg.transpose ins(%a : tensor<64x8xf32>) outs(%et : tensor<8x64xf32>) permutation = [1, 0]
    %eg = tensor.empty() : tensor<8x8xf32>
    %zg = linalg.fill ins(%zero : f32) outs(%eg : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = linalg.matmul ins(%t, %h : tensor<8x64xf32>, tensor<64x8xf32>) outs(%zg : tensor<8x8xf32>) -> tensor<8x8xf32>
    %next = arith.addf %acc, %g : tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  return %sum : tensor<8x8xf32>
}

// What is carried is the initial value of the product: it is added to what is partial over the same axes.
// CHECK-LABEL: func.func @in_place
// CHECK: scf.for
// CHECK: linalg.matmul
// CHECK: scf.yield {{.*}} : tensor<8x8xf32>
// CHECK: }
// CHECK: shard.reduce_scatter {{.*}} -> tensor<2x8xf32>
// CHECK: arith.subf {{.*}} : tensor<2x8xf32>
func.func @in_place(%x_in: tensor<3x8x64xf32>, %y_in: tensor<64x8xf32>, %w_in: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %last = shard.sharding @g split_axes = [[], [], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %last : tensor<3x8x64xf32>
  %y = shard.shard %y_in to %rows : tensor<64x8xf32>
  %w = shard.shard %w_in to %rows : tensor<8x8xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zeros) -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<3x8x64xf32> to tensor<8x64xf32>
    %m = linalg.matmul ins(%a, %y : tensor<8x64xf32>, tensor<64x8xf32>) outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %m : tensor<8x8xf32>
  }
  %r = arith.subf %w, %sum : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
