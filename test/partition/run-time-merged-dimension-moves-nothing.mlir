// A batch of run-time size merged with heads, both split: what divides the known part divides.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gt]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%[[X:.*]]: tensor<?x4x6xf32> {{.*}}) -> (tensor<?x4x6xf32> {{.*}}, tensor<?x2x6xf32>
// CHECK-SAME: factors = {{\[\[\[}}-1, [0]], [4, [1]]], {{\[\[}}2, []]], {{\[\[}}6, []]]]
// CHECK: tensor.collapse_shape %[[X]] {{.*}} : tensor<?x4x6xf32> into tensor<?x6xf32>
// CHECK: tensor.expand_shape {{.*}} : tensor<?x6xf32> into tensor<?x4x6xf32>
// CHECK: tensor.expand_shape {{.*}} : tensor<?x6xf32> into tensor<?x2x6xf32>

shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<?x8x6xf32>) -> (tensor<?x8x6xf32>, tensor<?x2x6xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x8x6xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?x8x6xf32>
  %a = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x8x6xf32> into tensor<?x6xf32>
  %b = math.tanh %a : tensor<?x6xf32>
  %y = tensor.expand_shape %b [[0, 1], [2]] output_shape [%n, 8, 6] : tensor<?x6xf32> into tensor<?x8x6xf32>
  %n4 = arith.muli %n, %c4 : index
  %z = tensor.expand_shape %b [[0, 1], [2]] output_shape [%n4, 2, 6] : tensor<?x6xf32> into tensor<?x2x6xf32>
  return %y, %z : tensor<?x8x6xf32>, tensor<?x2x6xf32>
}
