// Halves of a dimension that is whole, exchanged: such slices and joins follow their neighbours to
// another split, so that what all results come from moves once.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'
shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @main
// CHECK: shard.all_to_all {{.*}} : tensor<2x8x6xf32> -> tensor<8x2x6xf32>
func.func @main(%x_in: tensor<8x8x6xf32>) -> (tensor<8x8x6xf32>, tensor<8x8x6xf32>, tensor<8x8x6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x8x6xf32>
  %t = math.tanh %x : tensor<8x8x6xf32>
  %low = tensor.extract_slice %t[0, 0, 0] [8, 8, 3] [1, 1, 1] : tensor<8x8x6xf32> to tensor<8x8x3xf32>
  %high = tensor.extract_slice %t[0, 0, 3] [8, 8, 3] [1, 1, 1] : tensor<8x8x6xf32> to tensor<8x8x3xf32>
  %turned = arith.negf %high : tensor<8x8x3xf32>
  %c = tensor.concat dim(2) %turned, %low : (tensor<8x8x3xf32>, tensor<8x8x3xf32>) -> tensor<8x8x6xf32>
  %a = math.exp %c : tensor<8x8x6xf32>
  %b = math.sin %t : tensor<8x8x6xf32>
  %d = arith.mulf %a, %b : tensor<8x8x6xf32>
  %ra = shard.shard %a to %columns annotate_for_users : tensor<8x8x6xf32>
  %rb = shard.shard %b to %columns annotate_for_users : tensor<8x8x6xf32>
  %rd = shard.shard %d to %columns annotate_for_users : tensor<8x8x6xf32>
  return %ra, %rb, %rd : tensor<8x8x6xf32>, tensor<8x8x6xf32>, tensor<8x8x6xf32>
}
