// A gather or scatter of pieces whose type says how long they are tells the runtime that all have one
// size (flag 8): members cannot see it. Of others, a gather asks what they bring (2).
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

shard.grid @g(shape = 2)

// The flags are the fifth number before the end of the record's numbers.
// CHECK: [112 : i32, 6 : i32, {{.*}}, 8 : i32, 0 : i32, 0 : i32, 0, #llvm.zero, #llvm.zero, #llvm.zero]
func.func @gather(%a: tensor<4xf32>) -> tensor<8xf32> {
  %r = shard.gather %a on @g grid_axes = [0] gather_axis = 0 root = [0]
    : (tensor<4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK: [112 : i32, 6 : i32, {{.*}}, 2 : i32, 0 : i32, 0 : i32, 0, #llvm.zero, #llvm.zero, #llvm.zero]
func.func @gather_some(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = shard.gather %a on @g grid_axes = [0] gather_axis = 0 root = [0]
    : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK: [112 : i32, 10 : i32, {{.*}}, 8 : i32, 0 : i32, 0 : i32, 0, #llvm.zero, #llvm.zero, #llvm.zero]
func.func @scatter(%a: tensor<8xf32>) -> tensor<4xf32> {
  %r = shard.scatter %a on @g grid_axes = [0] scatter_axis = 0 root = [0]
    : (tensor<8xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK: [112 : i32, 10 : i32, {{.*}}, 0 : i32, 0 : i32, 0 : i32, 0, #llvm.zero, #llvm.zero, #llvm.zero]
func.func @scatter_some(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = shard.scatter %a on @g grid_axes = [0] scatter_axis = 0 root = [0]
    : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
