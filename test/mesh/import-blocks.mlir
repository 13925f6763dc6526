// Uses that the walk meets before their definitions, nested modules, and modules without any mesh.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-import-mesh)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-import-mesh,tessera-import-mesh)' \
// RUN:   | FileCheck %s

// The second block comes first in the text, the third defines what it uses.
// CHECK-LABEL: func @blocks
// CHECK: ^bb1:
// CHECK: shard.shard_shape dims = [8] sharding = %[[S:.*]] device
// CHECK: shard.shard %arg0 to %[[S]]
// CHECK: ^bb2:
// CHECK: %[[S]] = shard.sharding @m
func.func @blocks(%x: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  cf.br ^second
^first:
  %0 = mesh.shard_shape 8 %s %i : index
  %1 = mesh.shard %x to %s : tensor<8xf32>
  return %1 : tensor<8xf32>
^second:
  %s = mesh.sharding @m split_axes = [[0]] : !mesh.sharding
  cf.br ^first
}

// CHECK: shard.grid @m(shape = 4) {test.note}
mesh.mesh @m(shape = 4) {test.note}

// CHECK: module @inner
module @inner {
  // CHECK: shard.grid @m(shape = 2x2)
  mesh.mesh @m(shape = 2x2)
  // CHECK: shard.process_linear_index on @m
  func.func @f() -> index {
    %0 = mesh.process_linear_index on @m : index
    return %0 : index
  }
}
