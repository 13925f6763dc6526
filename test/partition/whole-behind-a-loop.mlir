// A loop's result that is annotated whole is gathered behind the loop, once: the loop carries it split, as the
// argument is that it begins with.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-propagate,tessera-partition,cse)' | FileCheck %s

// CHECK-LABEL: @main
// CHECK-NOT: all_gather
// CHECK: %[[LOOP:.*]] = scf.for {{.*}} -> (tensor<4x4xf32>)
// CHECK-NOT: all_gather
// CHECK: scf.yield
// CHECK: shard.all_gather %[[LOOP]] on @g grid_axes = [0] gather_axis = 0 : tensor<4x4xf32> -> tensor<16x4xf32>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<16x4xf32>, %from: index, %to: index) -> tensor<16x4xf32> {
  %c1 = arith.constant 1 : index
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<16x4xf32>
  %y = scf.for %i = %from to %to step %c1 iter_args(%a = %x) -> tensor<16x4xf32> {
    %b = math.tanh %a : tensor<16x4xf32>
    scf.yield %b : tensor<16x4xf32>
  }
  %r = shard.shard %y to %whole : tensor<16x4xf32>
  return %r : tensor<16x4xf32>
}
