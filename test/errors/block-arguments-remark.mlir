// Several blocks: a remark says that block arguments are whole.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 4)
// expected-remark-re@+1 {{several blocks{{.*}}replicated}}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<8xf32>
  cf.br ^next(%a : tensor<8xf32>)
^next(%y: tensor<8xf32>):
  return %y : tensor<8xf32>
}
