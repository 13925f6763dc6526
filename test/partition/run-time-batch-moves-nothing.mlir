// A split batch of run-time size: what only needs this device's share asks nobody for the whole.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtrs]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%[[X:.*]]: tensor<?x8xf32> {{.*}}, %{{.*}}: tensor<8x6xf32> {{.*}}) -> (tensor<?x6xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x8xf32>
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x6xf32>
// CHECK: linalg.fill {{.*}} outs(%[[E]] : tensor<?x6xf32>)
// CHECK: linalg.matmul ins(%[[X]]

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<?x8xf32>, %w: tensor<8x6xf32>) -> tensor<?x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x8xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x6xf32>) outs(%f : tensor<?x6xf32>) -> tensor<?x6xf32>
  %z = math.tanh %y : tensor<?x6xf32>
  return %z : tensor<?x6xf32>
}
