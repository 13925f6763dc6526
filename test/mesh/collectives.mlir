// The collectives of the `mesh` dialect as its document writes them: they parse, verify, print and
// are imported. Corrected where the document has a misprint: `reduce` on a mesh that has the root,
// `reduce_scatter` of shapes that can be split, `shift` with its operand.
// RUN: %mlir_opt %s | FileCheck %s
// RUN: %mlir_opt %s | %mlir_opt | FileCheck %s
// RUN: %mlir_opt %s --mlir-print-op-generic | %mlir_opt | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-import-mesh)' \
// RUN:   | FileCheck %s --check-prefix=SHARD --implicit-check-not=mesh
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-import-mesh)' | %stock_mlir_opt

// CHECK: mesh.mesh @m2x2(shape = 2x2)
// SHARD: shard.grid @m2x2(shape = 2x2)
mesh.mesh @m2x2(shape = 2x2)
mesh.mesh @m3(shape = 3)
mesh.mesh @m4x3(shape = 4x3)
mesh.mesh @m2x4(shape = 2x4)

// CHECK-LABEL: func @all_gather
// SHARD-LABEL: func @all_gather
func.func @all_gather(%0: tensor<2x2xi8>) -> tensor<2x4xi8> {
  // CHECK: %all_gather = mesh.all_gather %arg0 on @m2x2 mesh_axes = [1] gather_axis = 1 : tensor<2x2xi8> -> tensor<2x4xi8>
  // SHARD: shard.all_gather %arg0 on @m2x2 grid_axes = [1] gather_axis = 1 : tensor<2x2xi8> -> tensor<2x4xi8>
  %1 = mesh.all_gather %0 on @m2x2 mesh_axes = [1] gather_axis = 1
    : tensor<2x2xi8> -> tensor<2x4xi8>
  return %1 : tensor<2x4xi8>
}

// CHECK-LABEL: func @all_reduce
// SHARD-LABEL: func @all_reduce
func.func @all_reduce(%0: tensor<3x4xf32>)
    -> (tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf32>, tensor<3x4xf32>) {
  // CHECK: mesh.all_reduce %arg0 on @m2x2 mesh_axes = [1, 0] reduction = <max> : tensor<3x4xf32> -> tensor<3x4xf64>
  // SHARD: shard.all_reduce %arg0 on @m2x2 grid_axes = [1, 0] reduction = max : tensor<3x4xf32> -> tensor<3x4xf64>
  %1 = mesh.all_reduce %0 on @m2x2 mesh_axes = [1, 0] reduction = <max>
    : tensor<3x4xf32> -> tensor<3x4xf64>
  // CHECK: mesh.all_reduce %arg0 on @m2x2 mesh_axes = [1, 0] reduction = <max> : tensor<3x4xf32> -> tensor<3x4xf64>
  %2 = mesh.all_reduce %0 on @m2x2 mesh_axes = [1, 0] reduction = max
    : tensor<3x4xf32> -> tensor<3x4xf64>
  // Without a word it is the sum; without axes each device is its own group.
  // CHECK: mesh.all_reduce %arg0 on @m2x2 mesh_axes = [0] : tensor<3x4xf32> -> tensor<3x4xf32>
  // SHARD: shard.all_reduce %arg0 on @m2x2 grid_axes = [0] : tensor<3x4xf32> -> tensor<3x4xf32>
  %3 = mesh.all_reduce %0 on @m2x2 mesh_axes = [0] reduction = sum
    : tensor<3x4xf32> -> tensor<3x4xf32>
  // CHECK: mesh.all_reduce %arg0 on @m2x2 reduction = <bitwise_and> {test.note} : tensor<3x4xf32> -> tensor<3x4xf32>
  // SHARD: shard.all_reduce %arg0 on @m2x2 reduction = bitwise_and {test.note} : tensor<3x4xf32> -> tensor<3x4xf32>
  %4 = mesh.all_reduce %0 on @m2x2 reduction = bitwise_and {test.note}
    : tensor<3x4xf32> -> tensor<3x4xf32>
  return %1, %2, %3, %4 : tensor<3x4xf64>, tensor<3x4xf64>, tensor<3x4xf32>, tensor<3x4xf32>
}

// CHECK-LABEL: func @all_slice
// SHARD-LABEL: func @all_slice
func.func @all_slice(%0: tensor<2x4xi8>) -> tensor<2x2xi8> {
  // CHECK: mesh.all_slice %arg0 on @m2x2 mesh_axes = [1] slice_axis = 1 : tensor<2x4xi8> -> tensor<2x2xi8>
  // SHARD: shard.all_slice %arg0 on @m2x2 grid_axes = [1] slice_axis = 1 : tensor<2x4xi8> -> tensor<2x2xi8>
  %1 = mesh.all_slice %0 on @m2x2 mesh_axes = [1] slice_axis = 1
    : tensor<2x4xi8> -> tensor<2x2xi8>
  return %1 : tensor<2x2xi8>
}

// CHECK-LABEL: func @all_to_all
// SHARD-LABEL: func @all_to_all
func.func @all_to_all(%0: tensor<3x2xi8>, %x: tensor<6x2xi8>) -> (tensor<3x2xi8>, tensor<2x6xi8>) {
  // CHECK: mesh.all_to_all %arg0 on @m3 mesh_axes = [0] split_axis = 0 concat_axis = 0 : tensor<3x2xi8> -> tensor<3x2xi8>
  // SHARD: shard.all_to_all %arg0 on @m3 grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<3x2xi8> -> tensor<3x2xi8>
  %1 = mesh.all_to_all %0 on @m3 mesh_axes = [0]
    split_axis = 0 concat_axis = 0
    : tensor<3x2xi8> -> tensor<3x2xi8>
  // CHECK: split_axis = 0 concat_axis = 1
  // SHARD: split_axis = 0 concat_axis = 1
  %2 = mesh.all_to_all %x on @m3 mesh_axes = [0] split_axis = 0 concat_axis = 1
    : tensor<6x2xi8> -> tensor<2x6xi8>
  return %1, %2 : tensor<3x2xi8>, tensor<2x6xi8>
}

// CHECK-LABEL: func @broadcast
// SHARD-LABEL: func @broadcast
func.func @broadcast(%0: tensor<2xi8>, %i: index) -> (tensor<2xi8>, tensor<2xi8>) {
  // CHECK: mesh.broadcast %arg0 on @m2x2 mesh_axes = [0] root = [0] : (tensor<2xi8>) -> tensor<2xi8>
  // SHARD: shard.broadcast %arg0 on @m2x2 grid_axes = [0] root = [0] : (tensor<2xi8>) -> tensor<2xi8>
  %1 = mesh.broadcast %0 on @m2x2
    mesh_axes = [0]
    root = [0]
    : (tensor<2xi8>) -> tensor<2xi8>
  // CHECK: mesh.broadcast %arg0 on @m2x2 mesh_axes = [1, 0] root = [1, %arg1] : (tensor<2xi8>, index) -> tensor<2xi8>
  // SHARD: shard.broadcast %arg0 on @m2x2 grid_axes = [1, 0] root = [1, %arg1] : (tensor<2xi8>, index) -> tensor<2xi8>
  %2 = mesh.broadcast %0 on @m2x2 mesh_axes = [1, 0] root = [1, %i]
    : (tensor<2xi8>, index) -> tensor<2xi8>
  return %1, %2 : tensor<2xi8>, tensor<2xi8>
}

// CHECK-LABEL: func @gather
// SHARD-LABEL: func @gather
func.func @gather(%0: tensor<2x2xi8>) -> tensor<2x4xi8> {
  // CHECK: mesh.gather %arg0 on @m2x2 mesh_axes = [1] gather_axis = 1 root = [1] : (tensor<2x2xi8>) -> tensor<2x4xi8>
  // SHARD: shard.gather %arg0 on @m2x2 grid_axes = [1] gather_axis = 1 root = [1] : (tensor<2x2xi8>) -> tensor<2x4xi8>
  %1 = mesh.gather %0 on @m2x2 mesh_axes = [1]
    gather_axis = 1 root = [1]
    : (tensor<2x2xi8>) -> tensor<2x4xi8>
  return %1 : tensor<2x4xi8>
}

// CHECK-LABEL: func @send_recv
// SHARD-LABEL: func @send_recv
func.func @send_recv(%0: tensor<2xi8>, %i: index) -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  // CHECK: mesh.send %arg0 on @m2x2 mesh_axes = [0] destination = [1] : (tensor<2xi8>) -> tensor<2xi8>
  // SHARD: shard.send %arg0 on @m2x2 grid_axes = [0] destination = [1] : (tensor<2xi8>) -> tensor<2xi8>
  %1 = mesh.send %0 on @m2x2 mesh_axes = [0] destination = [1] : (tensor<2xi8>) -> tensor<2xi8>
  // CHECK: mesh.recv %arg0 on @m2x2 mesh_axes = [0] source = [%arg1] : (tensor<2xi8>, index) -> tensor<2xi8>
  // SHARD: shard.recv %arg0 on @m2x2 grid_axes = [0] source = [%arg1] : (tensor<2xi8>, index) -> tensor<2xi8>
  %2 = mesh.recv %0 on @m2x2 mesh_axes = [0] source = [%i] : (tensor<2xi8>, index) -> tensor<2xi8>
  // CHECK: mesh.recv %arg0 on @m2x2 mesh_axes = [0] : (tensor<2xi8>) -> tensor<2xi8>
  // SHARD: shard.recv %arg0 on @m2x2 grid_axes = [0] : (tensor<2xi8>) -> tensor<2xi8>
  %3 = mesh.recv %0 on @m2x2 mesh_axes = [0] : (tensor<2xi8>) -> tensor<2xi8>
  return %1, %2, %3 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// CHECK-LABEL: func @reduce
// SHARD-LABEL: func @reduce
func.func @reduce(%0: tensor<3x4xf32>) -> tensor<3x4xf64> {
  // CHECK: mesh.reduce %arg0 on @m4x3 mesh_axes = [1, 0] reduction = <max> root = [2, 3] : (tensor<3x4xf32>) -> tensor<3x4xf64>
  // SHARD: shard.reduce %arg0 on @m4x3 grid_axes = [1, 0] reduction = max root = [2, 3] : (tensor<3x4xf32>) -> tensor<3x4xf64>
  %1 = mesh.reduce %0 on @m4x3 mesh_axes = [1, 0]
    reduction = <max> root = [2, 3]
    : (tensor<3x4xf32>) -> tensor<3x4xf64>
  return %1 : tensor<3x4xf64>
}

// CHECK-LABEL: func @reduce_scatter
// SHARD-LABEL: func @reduce_scatter
func.func @reduce_scatter(%0: tensor<2x2xf32>) -> tensor<1x2xf64> {
  // CHECK: mesh.reduce_scatter %arg0 on @m2x2 mesh_axes = [1] reduction = <max> scatter_axis = 0 : tensor<2x2xf32> -> tensor<1x2xf64>
  // SHARD: shard.reduce_scatter %arg0 on @m2x2 grid_axes = [1] reduction = max scatter_axis = 0 : tensor<2x2xf32> -> tensor<1x2xf64>
  %1 = mesh.reduce_scatter %0 on @m2x2 mesh_axes = [1]
    reduction = <max> scatter_axis = 0
    : tensor<2x2xf32> -> tensor<1x2xf64>
  return %1 : tensor<1x2xf64>
}

// CHECK-LABEL: func @scatter
// SHARD-LABEL: func @scatter
func.func @scatter(%0: tensor<2x2xi8>) -> tensor<1x2xi8> {
  // CHECK: mesh.scatter %arg0 on @m2x2 mesh_axes = [0] scatter_axis = 0 root = [1] : (tensor<2x2xi8>) -> tensor<1x2xi8>
  // SHARD: shard.scatter %arg0 on @m2x2 grid_axes = [0] scatter_axis = 0 root = [1] : (tensor<2x2xi8>) -> tensor<1x2xi8>
  %1 = mesh.scatter %0 on @m2x2 mesh_axes = [0]
    scatter_axis = 0
    root = [1]
    : (tensor<2x2xi8>) -> tensor<1x2xi8>
  return %1 : tensor<1x2xi8>
}

// CHECK-LABEL: func @shift
// SHARD-LABEL: func @shift
func.func @shift(%0: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>) {
  // CHECK: mesh.shift %arg0 on @m2x4 mesh_axes = [1] shift_axis = 1 offset = 2 rotate : tensor<2xi8> -> tensor<2xi8>
  // SHARD: shard.shift %arg0 on @m2x4 grid_axes = [1] shift_axis = 1 offset = 2 rotate : tensor<2xi8> -> tensor<2xi8>
  %1 = mesh.shift %0 on @m2x4 mesh_axes = [1]
    shift_axis = 1 offset = 2 rotate
    : tensor<2xi8> -> tensor<2xi8>
  // CHECK: shift_axis = 1 offset = -1 : tensor
  // SHARD: shift_axis = 1 offset = -1 : tensor
  %2 = mesh.shift %0 on @m2x4 mesh_axes = [1] shift_axis = 1 offset = -1
    : tensor<2xi8> -> tensor<2xi8>
  return %1, %2 : tensor<2xi8>, tensor<2xi8>
}

// CHECK-LABEL: func @update_halo
// SHARD-LABEL: func @update_halo
func.func @update_halo(%0: tensor<6x8xi8>, %m: memref<6x8xi8>, %h: i64)
    -> (tensor<6x8xi8>, memref<6x8xi8>) {
  // CHECK: mesh.update_halo %arg0 on @m2x2
  // CHECK-SAME{LITERAL}: split_axes = [[0], [1]] halo_sizes = [1, 1, 2, %arg2] : tensor<6x8xi8>
  // SHARD: shard.update_halo %arg0 on @m2x2
  // SHARD-SAME{LITERAL}: split_axes = [[0], [1]] halo_sizes = [1, 1, 2, %arg2] : tensor<6x8xi8>
  %1 = mesh.update_halo %0 on @m2x2 split_axes = [[0], [1]] halo_sizes = [1, 1, 2, %h]
    : tensor<6x8xi8>
  // CHECK: mesh.update_halo %arg1 on @m2x2
  // SHARD: shard.update_halo %arg1 on @m2x2
  %2 = mesh.update_halo %m on @m2x2 split_axes = [[0, 1]] halo_sizes = [1, 1] : memref<6x8xi8>
  return %1, %2 : tensor<6x8xi8>, memref<6x8xi8>
}

// CHECK-LABEL: func @dynamic
func.func @dynamic(%0: tensor<?x2xi8>, %1: tensor<2x2xi8>)
    -> (tensor<?x2xi8>, tensor<?x2xi8>, tensor<?x2xi8>) {
  // CHECK: mesh.all_gather
  %2 = mesh.all_gather %0 on @m2x2 mesh_axes = [1] gather_axis = 0
    : tensor<?x2xi8> -> tensor<?x2xi8>
  // CHECK: mesh.all_gather
  %3 = mesh.all_gather %1 on @m2x2 mesh_axes = [1] gather_axis = 0
    : tensor<2x2xi8> -> tensor<?x2xi8>
  // CHECK: mesh.all_slice
  %4 = mesh.all_slice %0 on @m2x2 mesh_axes = [1] slice_axis = 0
    : tensor<?x2xi8> -> tensor<?x2xi8>
  return %2, %3, %4 : tensor<?x2xi8>, tensor<?x2xi8>, tensor<?x2xi8>
}
