// Annotations of arguments that nothing uses stay where passes of tosa take away what nothing in a
// block uses, their shardings too.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' | FileCheck %s

shard.grid @grid(shape = 4x2)
// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[OF_A:.+]] = shard.sharding @grid split_axes = {{\[\[}}1, 0]]
// CHECK-DAG: shard.shard %arg0 to %[[OF_A]] : tensor<8xf64>
// CHECK-NOT: tosa
func.func @main(%a: tensor<8xf64>, %b: tensor<8xi32>) -> tensor<8xi32> {
  %of_a = shard.sharding @grid split_axes = [[1, 0]] : !shard.sharding
  %of_b = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a1 = shard.shard %a to %of_a : tensor<8xf64>
  %b1 = shard.shard %b to %of_b : tensor<8xi32>
  %unused = tensor.empty() : tensor<4xf32>
  %r = tosa.transpose %b1 {perms = array<i32: 0>} : (tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}
