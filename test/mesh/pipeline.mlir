// A program in `mesh` goes through the pipeline as its counterpart in `shard` does.
// RUN: split-file %s %t
// RUN: %mlir_opt %t/mesh.mlir \
// RUN:   --pass-pipeline='builtin.module(tessera-import-mesh,tessera-propagate,tessera-partition)' \
// RUN:   -o %t/from-mesh.mlir
// RUN: %mlir_opt %t/shard.mlir \
// RUN:   --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' -o %t/from-shard.mlir
// RUN: diff %t/from-mesh.mlir %t/from-shard.mlir
// RUN: FileCheck %s < %t/from-mesh.mlir
// RUN: %mlir_opt %t/mesh.mlir --pass-pipeline='builtin.module(tessera-pipeline)' \
// RUN:   | FileCheck %s --check-prefix=LOWERED

// CHECK: func.func @f(%arg0: tensor<4x2xf32>
// LOWERED: func.func @tessera.fn.f({{.*}}) -> memref<4x2xf32>

//--- mesh.mlir
mesh.mesh @m(shape = 2x2)
func.func @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %s = mesh.sharding @m split_axes = [[0], [1]] : !mesh.sharding
  %a = mesh.shard %x to %s : tensor<8x4xf32>
  %0 = math.exp %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

//--- shard.mlir
shard.grid @m(shape = 2x2)
func.func @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %s = shard.sharding @m split_axes = [[0], [1]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8x4xf32>
  %0 = math.exp %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
