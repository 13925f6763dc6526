// A function with annotations and an explicit collective is neither kind of program.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  // expected-error@+1 {{collective}}
  %b = shard.all_reduce %a on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
  return %b : tensor<8xf32>
}
