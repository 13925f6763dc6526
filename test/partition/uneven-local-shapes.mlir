// Sizes that differ between devices are dynamic; rows need no other device.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%{{.*}}: tensor<?x3xf32> {{.*}}global = tensor<10x3xf32>{{.*}}, %{{.*}}: tensor<?x3xf32> {{.*}}global = tensor<7x3xf32>{{.*}}, %{{.*}}: tensor<?x3xf32> {{.*}}global = tensor<1x3xf32>
// CHECK-COUNT-3: linalg.matmul {{.*}} -> tensor<?x5xf32>

shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<10x3xf32>, %b_in: tensor<7x3xf32>, %c_in: tensor<1x3xf32>,
                %w: tensor<3x5xf32>) -> (tensor<10x5xf32>, tensor<7x5xf32>, tensor<1x5xf32>) {
  %rows = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %a = shard.shard %a_in to %rows : tensor<10x3xf32>
  %b = shard.shard %b_in to %rows : tensor<7x3xf32>
  %c = shard.shard %c_in to %rows : tensor<1x3xf32>
  %one = arith.constant 1.0 : f32
  %e0 = tensor.empty() : tensor<10x5xf32>
  %i0 = linalg.fill ins(%one : f32) outs(%e0 : tensor<10x5xf32>) -> tensor<10x5xf32>
  %0 = linalg.matmul ins(%a, %w : tensor<10x3xf32>, tensor<3x5xf32>) outs(%i0 : tensor<10x5xf32>)
      -> tensor<10x5xf32>
  %e1 = tensor.empty() : tensor<7x5xf32>
  %i1 = linalg.fill ins(%one : f32) outs(%e1 : tensor<7x5xf32>) -> tensor<7x5xf32>
  %1 = linalg.matmul ins(%b, %w : tensor<7x3xf32>, tensor<3x5xf32>) outs(%i1 : tensor<7x5xf32>)
      -> tensor<7x5xf32>
  %e2 = tensor.empty() : tensor<1x5xf32>
  %i2 = linalg.fill ins(%one : f32) outs(%e2 : tensor<1x5xf32>) -> tensor<1x5xf32>
  %2 = linalg.matmul ins(%c, %w : tensor<1x3xf32>, tensor<3x5xf32>) outs(%i2 : tensor<1x5xf32>)
      -> tensor<1x5xf32>
  return %0, %1, %2 : tensor<10x5xf32>, tensor<7x5xf32>, tensor<1x5xf32>
}
