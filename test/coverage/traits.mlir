// Collectives of `mesh` are pure and may move out of loops; send and recv stay where they are.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(func.func(loop-invariant-code-motion,cse,canonicalize))' \
// RUN:   | FileCheck %s

mesh.mesh @m(shape = 2x2)

// CHECK-LABEL: func @unused
// CHECK-NEXT: mesh.send
// CHECK-NEXT: mesh.recv
// CHECK-NEXT: return
func.func @unused(%a: tensor<4x4xf32>) {
  %0 = mesh.all_gather %a on @m mesh_axes = [0] gather_axis = 0 : tensor<4x4xf32> -> tensor<8x4xf32>
  %1 = mesh.all_reduce %a on @m mesh_axes = [0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %2 = mesh.all_slice %a on @m mesh_axes = [0] slice_axis = 0 : tensor<4x4xf32> -> tensor<2x4xf32>
  %3 = mesh.all_to_all %a on @m mesh_axes = [0] split_axis = 0 concat_axis = 1 : tensor<4x4xf32> -> tensor<2x8xf32>
  %4 = mesh.broadcast %a on @m mesh_axes = [0] root = [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = mesh.gather %a on @m mesh_axes = [0] gather_axis = 0 root = [0] : (tensor<4x4xf32>) -> tensor<8x4xf32>
  %6 = mesh.reduce %a on @m mesh_axes = [0] root = [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = mesh.reduce_scatter %a on @m mesh_axes = [0] scatter_axis = 0 : tensor<4x4xf32> -> tensor<2x4xf32>
  %8 = mesh.scatter %a on @m mesh_axes = [0] scatter_axis = 0 root = [0] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  %9 = mesh.shift %a on @m mesh_axes = [0] shift_axis = 0 offset = 1 : tensor<4x4xf32> -> tensor<4x4xf32>
  %10 = mesh.update_halo %a on @m split_axes = [[0]] halo_sizes = [1, 1] : tensor<4x4xf32>
  %11 = mesh.process_linear_index on @m : index
  %12:2 = mesh.process_multi_index on @m : index, index
  %13:2 = mesh.mesh_shape @m : index, index
  %14:2 = mesh.neighbors_linear_indices on @m[%11, %11] split_axes = [0] : index, index
  %15 = mesh.sharding @m split_axes = [[0]] : !mesh.sharding
  %16 = mesh.shard %a to %15 : tensor<4x4xf32>
  %17:2 = mesh.shard_shape 4x4 %15 %11 : index, index
  %18 = mesh.send %a on @m mesh_axes = [0] destination = [1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %19 = mesh.recv %a on @m mesh_axes = [0] source = [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// CHECK-LABEL: func @twice
// CHECK: mesh.all_reduce
// CHECK-NOT: mesh.all_reduce
// CHECK: return
func.func @twice(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = mesh.all_reduce %a on @m mesh_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %1 = mesh.all_reduce %a on @m mesh_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @invariant
// CHECK: mesh.all_reduce
// CHECK: scf.for
func.func @invariant(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
    %s = mesh.all_reduce %a on @m mesh_axes = [0] : tensor<4xf32> -> tensor<4xf32>
    %y = arith.addf %x, %s : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
