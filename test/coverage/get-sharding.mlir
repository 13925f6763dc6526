// The sharding of an annotated value is that of its annotation, for another annotation and for
// shard_shape.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-pipeline)' | FileCheck %s --check-prefix=LOWERED

shard.grid @g(shape = 2x2)

// CHECK-LABEL: func.func @f
// CHECK: %[[S:.*]] = shard.sharding @g split_axes = {{\[\[}}0]]
// CHECK-NOT: shard.get_sharding
// CHECK: shard.shard_shape dims = [10, 4] sharding = %[[S]]
// LOWERED-LABEL: func.func @tessera.fn.f(%arg0: memref<5x4xf32
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

// Of another value it is what propagation gives it, which an annotation then holds it to; here the
// transpose of what %a has, whatever the annotation of %c would have suggested.
// CHECK-LABEL: func.func @of_any_value
// CHECK: shard.sharding @g split_axes = {{\[\[}}], [0]]
// CHECK-NEXT: %[[T:.*]] = shard.sharding @g split_axes = {{\[\[}}], [0]]
// CHECK: %[[V:.*]] = linalg.transpose
// CHECK: %[[H:.*]] = shard.shard %[[V]] to %[[T]]
// CHECK: shard.shard %arg1 to %[[T]]
// CHECK: shard.shard_shape dims = [4, 10] sharding = %[[T]]
// LOWERED-LABEL: func.func @tessera.fn.of_any_value(%arg0: memref<5x4xf32
// LOWERED-SAME: %arg1: memref<4x5xf32
// LOWERED-NOT: = shard.
func.func @of_any_value(%a: tensor<10x4xf32>, %c: tensor<4x10xf32>) -> (tensor<4x10xf32>, index) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %b = shard.shard %a to %s : tensor<10x4xf32>
  %e = tensor.empty() : tensor<4x10xf32>
  %t = linalg.transpose ins(%b : tensor<10x4xf32>) outs(%e : tensor<4x10xf32>) permutation = [1, 0]
  %q = shard.get_sharding %t : tensor<4x10xf32> -> !shard.sharding
  %d = shard.shard %c to %q : tensor<4x10xf32>
  %i:2 = shard.process_multi_index on @g : index, index
  %n:2 = shard.shard_shape dims = [4, 10] sharding = %q device = [%i#0, %i#1] : index, index
  %f = math.sin %d : tensor<4x10xf32>
  return %f, %n#0 : tensor<4x10xf32>, index
}
