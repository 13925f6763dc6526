// No number of devices runs a program whose grids have different numbers of them.
// REQUIRES: tesserac, tessera-check
// RUN: not %tesserac %s --emit=propagated -o - 2>&1 | FileCheck %s
// RUN: not %tessera_check %s 2>&1 | FileCheck %s
// CHECK: grids-of-different-sizes.mlir:[[@LINE+4]]:1: error: grid @mesh0 has 16 devices and grid @mesh1d_4 4: expected all grids of a program to have equally many; make two programs, or add an axis
// CHECK-NOT: error
mesh.mesh @mesh0(shape = 2x2x4)
mesh.mesh @of_the_launch(shape = ?)
mesh.mesh @mesh1d_4(shape = 4)
func.func @main(%x: tensor<4x14xf32>) -> tensor<4x14xf32> {
  %s = mesh.sharding @mesh1d_4 split_axes = [[], [0]] sharded_dims_offsets = [0, 2, 5, 9, 14]
  %a = mesh.shard %x to %s : tensor<4x14xf32>
  return %a : tensor<4x14xf32>
}
