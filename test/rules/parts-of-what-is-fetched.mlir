// Of a tensor of which an op reads a part along a whole dimension, and other rows than a device has, that part is
// fetched alone: one of three channels.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not=tessera.exchange

// CHECK: tessera.exchange %arg0 {{.*}}offsets = [array<i64: 1, 2>, array<i64: 15, 16, 16>, array<i64>]{{.*}}-> tensor<1x?x8xf32>
// CHECK: tessera.exchange %arg0 {{.*}}offsets = [array<i64: 1, 2>, array<i64: 0, 7, 15>, array<i64>]{{.*}}-> tensor<1x?x8xf32>
shard.grid @g(shape = 2)
func.func @main(%f_in: tensor<3x16x8xf32>) -> tensor<16x8xf32> {
  %rows = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %f = shard.shard %f_in to %rows : tensor<3x16x8xf32>
  %c = tensor.extract_slice %f[1, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<3x16x8xf32> to tensor<16x8xf32>
  %last = tensor.extract_slice %c[15, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<1x8xf32>
  %others = tensor.extract_slice %c[0, 0] [15, 8] [1, 1] : tensor<16x8xf32> to tensor<15x8xf32>
  %y = tensor.concat dim(0) %last, %others : (tensor<1x8xf32>, tensor<15x8xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}
