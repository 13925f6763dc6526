// Operands of a call go to the layouts of the callee.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s 

// CHECK: func.func private @layer(%{{.*}}: tensor<10x2xf32>
// CHECK: func.func @main(%{{.*}}: tensor<?x8xf32>
// CHECK: call @layer(
// CHECK: call @layer(

shard.grid @g(shape = 4)
func.func private @layer(%x_in: tensor<10x8xf32>, %w: tensor<8x8xf32>) -> tensor<10x8xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<10x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x8xf32>) -> tensor<10x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<10x8xf32>, tensor<8x8xf32>) outs(%f : tensor<10x8xf32>)
      -> tensor<10x8xf32>
  %t = math.tanh %y : tensor<10x8xf32>
  return %t : tensor<10x8xf32>
}
func.func @main(%x_in: tensor<10x8xf32>, %w: tensor<8x8xf32>) -> tensor<10x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %0 = func.call @layer(%x, %w) : (tensor<10x8xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
  %1 = func.call @layer(%0, %w) : (tensor<10x8xf32>, tensor<8x8xf32>) -> tensor<10x8xf32>
  %2 = arith.addf %1, %x : tensor<10x8xf32>
  return %2 : tensor<10x8xf32>
}
