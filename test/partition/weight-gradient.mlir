// Batch split: the weight gradient is summed over the batch, the input gradient over the columns.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%{{.*}}: tensor<7x6xf32> {{.*}}, %{{.*}}: tensor<6x5xf32> {{.*}}, %{{.*}}: tensor<7x5xf32>
// CHECK-DAG: shard.all_reduce {{.*}} grid_axes = [0] : tensor<6x5xf32>
// CHECK-DAG: shard.all_reduce {{.*}} grid_axes = [1] : tensor<7x6xf32>

shard.grid @g(shape = 2x2)
#km = affine_map<(m, n, k) -> (k, m)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x_in: tensor<14x6xf32>, %w_in: tensor<6x10xf32>, %dy: tensor<14x10xf32>)
    -> (tensor<14x10xf32>, tensor<6x10xf32>, tensor<14x6xf32>) {
  %batch = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %batch : tensor<14x6xf32>
  %w = shard.shard %w_in to %columns : tensor<6x10xf32>
  %zero = arith.constant 0.0 : f32
  %rate = arith.constant dense<0.1> : tensor<6x10xf32>
  %e0 = tensor.empty() : tensor<14x10xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<14x10xf32>) -> tensor<14x10xf32>
  %y = linalg.matmul ins(%x, %w : tensor<14x6xf32>, tensor<6x10xf32>)
      outs(%f0 : tensor<14x10xf32>) -> tensor<14x10xf32>
  %e1 = tensor.empty() : tensor<6x10xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<6x10xf32>) -> tensor<6x10xf32>
  %dw = linalg.matmul indexing_maps = [#km, #kn, #mn]
      ins(%x, %dy : tensor<14x6xf32>, tensor<14x10xf32>) outs(%f1 : tensor<6x10xf32>)
      -> tensor<6x10xf32>
  %e2 = tensor.empty() : tensor<14x6xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<14x6xf32>) -> tensor<14x6xf32>
  %dx = linalg.matmul indexing_maps = [#mk, #nk, #mn]
      ins(%dy, %w : tensor<14x10xf32>, tensor<6x10xf32>) outs(%f2 : tensor<14x6xf32>)
      -> tensor<14x6xf32>
  %step = arith.mulf %dw, %rate : tensor<6x10xf32>
  %new = arith.subf %w, %step : tensor<6x10xf32>
  return %y, %new, %dx : tensor<14x10xf32>, tensor<6x10xf32>, tensor<14x6xf32>
}
