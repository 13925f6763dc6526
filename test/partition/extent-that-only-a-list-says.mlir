// An expand_shape that lists an extent as a number gets a type that says it, in front of the type that was asked for.
// RUN: %mlir_opt --pass-pipeline='builtin.module(tessera-partition)' %s | FileCheck %s
shard.grid @grid(shape = 2)
// CHECK-LABEL: func.func @main(%arg0: tensor<?x10xf32>
// CHECK: %[[E:.*]] = tensor.expand_shape %arg0 {{.*}} output_shape [4, %{{.*}}, 10] : tensor<?x10xf32> into tensor<4x?x10xf32>
// CHECK: %[[C:.*]] = tensor.cast %[[E]] : tensor<4x?x10xf32> to tensor<?x?x10xf32>
// CHECK: arith.addf %[[C]], %[[C]]
func.func @main(%x: tensor<?x20xf32>) -> tensor<?x?x20xf32> {
  %s = shard.sharding @grid split_axes = [[], [], [0]] : !shard.sharding
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?x20xf32>
  %m = arith.divui %n, %c4 : index
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [4, %m, 20] : tensor<?x20xf32> into tensor<?x?x20xf32>
  %r = shard.shard %e to %s : tensor<?x?x20xf32>
  %t = arith.addf %r, %r : tensor<?x?x20xf32>
  return %t : tensor<?x?x20xf32>
}
