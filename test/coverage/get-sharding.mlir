// The sharding of an annotated value is that of its annotation, for another annotation and for
// shard_shape.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-pipeline)' | FileCheck %s --check-prefix=LOWERED

shard.grid @g(shape = 2x2)

// CHECK-LABEL: func.func @f
// CHECK: %[[S:.*]] = shard.sharding @g split_axes = {{\[\[}}0]]
// CHECK-NOT: shard.get_sharding
// CHECK: shard.shard_shape dims = [10, 4] sharding = %[[S]]
// LOWERED-LABEL: func.func @f(%arg0: memref<5x4xf32
// LOWERED-SAME: %arg1: memref<5x4xf32
// LOWERED-NOT: = shard.
func.func @f(%a: tensor<10x4xf32>, %c: tensor<10x4xf32>) -> (tensor<10x4xf32>, index) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %b = shard.shard %a to %s : tensor<10x4xf32>
  %q = shard.get_sharding %b : tensor<10x4xf32> -> !shard.sharding
  %d = shard.shard %c to %q : tensor<10x4xf32>
  %i:2 = shard.process_multi_index on @g : index, index
  %n:2 = shard.shard_shape dims = [10, 4] sharding = %q device = [%i#0, %i#1] : index, index
  %e = arith.addf %b, %d : tensor<10x4xf32>
  return %e, %n#0 : tensor<10x4xf32>, index
}
