// Uneven pieces of a summed dimension: one all-reduce for two products in a row, one for a maximum.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%{{.*}}: tensor<6x?xf32>
// CHECK-COUNT-2: linalg.matmul {{.*}} -> tensor<6x7xf32>
// CHECK-DAG: shard.all_reduce {{.*}} on @g grid_axes = [0, 1] : tensor<6x7xf32> -> tensor<6x7xf32>
// CHECK-DAG: shard.all_reduce {{.*}} on @g grid_axes = [0, 1] reduction = max : tensor<6xf32> -> tensor<6xf32>

shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<6x10xf32>, %b: tensor<10x7xf32>, %c_in: tensor<6x3xf32>,
                %d: tensor<3x7xf32>) -> (tensor<6x7xf32>, tensor<6xf32>) {
  %s = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<6x10xf32>
  %c = shard.shard %c_in to %s : tensor<6x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x7xf32>) -> tensor<6x7xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<6x10xf32>, tensor<10x7xf32>) outs(%f : tensor<6x7xf32>)
      -> tensor<6x7xf32>
  %1 = linalg.matmul ins(%c, %d : tensor<6x3xf32>, tensor<3x7xf32>) outs(%0 : tensor<6x7xf32>)
      -> tensor<6x7xf32>
  %low = arith.constant dense<-1.0e30> : tensor<6xf32>
  %max = linalg.reduce { arith.maximumf } ins(%c : tensor<6x3xf32>) outs(%low : tensor<6xf32>)
      dimensions = [1]
  return %1, %max : tensor<6x7xf32>, tensor<6xf32>
}
