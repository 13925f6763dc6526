// A grid without devices, or with more than ranks can be, whether annotations or collectives name it.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-pipeline)' \
// RUN:   --split-input-file --verify-diagnostics

// expected-error@+1 {{axis 1 of grid @g has the extent 0: expected 1 or more, or ? where the launch decides}}
shard.grid @g(shape = 2x0)
func.func @annotated(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

// expected-error@+1 {{grid @g has more devices than ranks can be: expected at most 2147483647}}
shard.grid @g(shape = 65536x?x65536)
func.func @collective(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = shard.all_reduce %x on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
  return %a : tensor<8xf32>
}
