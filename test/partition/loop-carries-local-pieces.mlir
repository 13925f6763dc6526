// What a loop carries is local, in the layout that it has outside.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s 

// CHECK: scf.for {{.*}} -> (tensor<5x{{[48]}}xf32>)
// CHECK: linalg.matmul
// CHECK: scf.yield

shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x8xf32>, %w_in: tensor<8x8xf32>) -> tensor<10x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %w = shard.shard %w_in to %columns : tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %lower = arith.constant 0 : index
  %upper = arith.constant 3 : index
  %step = arith.constant 1 : index
  %r = scf.for %i = %lower to %upper step %step iter_args(%v = %x) -> (tensor<10x8xf32>) {
    %e = tensor.empty() : tensor<10x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x8xf32>) -> tensor<10x8xf32>
    %m = linalg.matmul ins(%v, %w : tensor<10x8xf32>, tensor<8x8xf32>)
        outs(%f : tensor<10x8xf32>) -> tensor<10x8xf32>
    %t = math.tanh %m : tensor<10x8xf32>
    scf.yield %t : tensor<10x8xf32>
  }
  return %r : tensor<10x8xf32>
}
