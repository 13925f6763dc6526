// What a loop communicates in each trip alike is done before it, with what makes its operands, within
// a number of bytes; never what stands in a branch.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize{hoist-bytes=127})' | FileCheck %s --check-prefix=BOUND
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize{invariant=false})' | FileCheck %s --check-prefix=OFF
shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @weights
// CHECK: linalg.transpose
// CHECK: %[[W:.*]] = shard.all_gather
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: shard.all_gather
// CHECK: math.sin
// BOUND-LABEL: func.func @weights
// BOUND: shard.all_gather {{.*}} -> tensor<8xf32>
// BOUND: scf.for
// BOUND: scf.for
// BOUND: shard.all_gather {{.*}} -> tensor<8x4xf32>
// OFF-LABEL: func.func @weights
// OFF: scf.for
// OFF: scf.for
// OFF-COUNT-2: shard.all_gather
func.func @weights(%w: tensor<4x2xf32>, %b: tensor<2xf32>, %x: tensor<8x4xf32>, %n: index) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> tensor<8x4xf32> {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%q = %p) -> tensor<8x4xf32> {
      %e = tensor.empty() : tensor<2x4xf32>
      %t = linalg.transpose ins(%w : tensor<4x2xf32>) outs(%e : tensor<2x4xf32>) permutation = [1, 0]
      %g = shard.all_gather %t on @g grid_axes = [0] gather_axis = 0 : tensor<2x4xf32> -> tensor<8x4xf32>
      %h = shard.all_gather %b on @g grid_axes = [0] gather_axis = 0 : tensor<2xf32> -> tensor<8xf32>
      %k = linalg.broadcast ins(%h : tensor<8xf32>) outs(%q : tensor<8x4xf32>) dimensions = [1]
      %m = arith.mulf %q, %g : tensor<8x4xf32>
      %o = arith.addf %m, %k : tensor<8x4xf32>
      %u = math.sin %o : tensor<8x4xf32>
      scf.yield %u : tensor<8x4xf32>
    }
    scf.yield %s : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @branch
// CHECK: scf.for
// CHECK: scf.if
// CHECK: shard.all_gather
func.func @branch(%x: tensor<2xf32>, %y: tensor<8xf32>, %n: index, %c: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %y) -> tensor<8xf32> {
    %q = scf.if %c -> tensor<8xf32> {
      %g = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<2xf32> -> tensor<8xf32>
      %s = arith.addf %p, %g : tensor<8xf32>
      scf.yield %s : tensor<8xf32>
    } else {
      scf.yield %p : tensor<8xf32>
    }
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @while
// CHECK: shard.all_reduce
// CHECK: scf.while
// CHECK-NOT: shard.all_reduce
// CHECK: return
func.func @while(%x: tensor<f32>, %y: f32) -> f32 {
  %r = scf.while (%p = %y) : (f32) -> f32 {
    %s = shard.all_reduce %x on @g grid_axes = [0] : tensor<f32> -> tensor<f32>
    %m = tensor.extract %s[] : tensor<f32>
    %c = arith.cmpf olt, %p, %m : f32
    scf.condition(%c) %p : f32
  } do {
  ^body(%q: f32):
    %d = arith.addf %q, %q : f32
    scf.yield %d : f32
  }
  return %r : f32
}

// A message between two devices is not passed, neither here nor in what is called.
// Reads at places of the run leave loops that run at least once, of whatever type they count in.
// CHECK-LABEL: func.func @places
// CHECK: tensor.extract_slice
// CHECK: shard.all_gather
// CHECK: scf.for
// CHECK-NOT: shard.all_gather
// CHECK: scf.for
// CHECK: shard.all_gather
// CHECK: return
func.func @places(%x: tensor<8xf32>, %y: tensor<8xf32>, %at: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %m1 = arith.constant -1 : i32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %y) -> tensor<8xf32> : i32 {
    %s = tensor.extract_slice %x[%at] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %g = shard.all_gather %s on @g grid_axes = [0] gather_axis = 0 : tensor<2xf32> -> tensor<8xf32>
    %q = arith.mulf %p, %g : tensor<8xf32>
    scf.yield %q : tensor<8xf32>
  }
  %u = scf.for unsigned %i = %m1 to %c3 step %c1 iter_args(%p = %y) -> tensor<8xf32> : i32 {
    %s = tensor.extract_slice %y[%at] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %g = shard.all_gather %s on @g grid_axes = [0] gather_axis = 0 : tensor<2xf32> -> tensor<8xf32>
    %q = arith.divf %p, %g : tensor<8xf32>
    scf.yield %q : tensor<8xf32>
  }
  return %r, %u : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @behind_message
// CHECK: scf.for
// CHECK: shard.recv
// CHECK: shard.all_reduce
func.func @behind_message(%x: tensor<8xf32>, %y: tensor<8xf32>, %from: index, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %y) -> tensor<8xf32> {
    %m = shard.recv %p on @g grid_axes = [0] source = [%from] : (tensor<8xf32>, index) -> tensor<8xf32>
    %s = shard.all_reduce %x on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
    %q = arith.addf %m, %s : tensor<8xf32>
    scf.yield %q : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @behind_calls
// CHECK: shard.all_reduce {{.*}} grid_axes = [0] reduction = max
// CHECK: scf.for
// CHECK: call @reduces
// CHECK: call @receives
// CHECK: shard.all_reduce {{.*}} grid_axes = [0] :
func.func @behind_calls(%x: tensor<8xf32>, %y: tensor<8xf32>, %from: index, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %y) -> tensor<8xf32> {
    %a = func.call @reduces(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %t = shard.all_reduce %x on @g grid_axes = [0] reduction = max : tensor<8xf32> -> tensor<8xf32>
    %m = func.call @receives(%a, %from) : (tensor<8xf32>, index) -> tensor<8xf32>
    %s = shard.all_reduce %x on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
    %q = arith.addf %m, %s : tensor<8xf32>
    %u = arith.addf %q, %t : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
func.func private @reduces(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.all_reduce %x on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
  return %s : tensor<8xf32>
}
func.func private @receives(%x: tensor<8xf32>, %from: index) -> tensor<8xf32> {
  %m = shard.recv %x on @g grid_axes = [0] source = [%from] : (tensor<8xf32>, index) -> tensor<8xf32>
  return %m : tensor<8xf32>
}
