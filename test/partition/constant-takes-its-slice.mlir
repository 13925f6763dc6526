// A constant that is no splat is sliced at the place of the device.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: %[[C:.*]] = arith.constant dense<{{.*}}> : tensor<3x5xf32>
// CHECK: %[[MINE:.*]] = tensor.extract_slice %[[C]]
// CHECK: arith.addf %arg0, %[[MINE]] : tensor<?x?xf32>

shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<3x5xf32>
  %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0],
                             [6.0, 7.0, 8.0, 9.0, 10.0],
                             [11.0, 12.0, 13.0, 14.0, 15.0]]> : tensor<3x5xf32>
  %r = arith.addf %x, %c : tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
