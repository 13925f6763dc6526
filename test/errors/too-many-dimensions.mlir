// Tensors of more dimensions than passes count on are an error before anything looks at them: in propagate
// what rewrites ops, in optimize what packs collectives.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' --split-input-file --verify-diagnostics
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition)' --split-input-file --verify-diagnostics
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize)' --split-input-file --verify-diagnostics
shard.grid @g(shape = 2)
func.func @element(%x_in: tensor<4xf32>, %h: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<4xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4xf32>
  %0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    // expected-error@+1 {{'tensor.extract' on a tensor of 40 dimensions: expected 32 at most}}
    %v = tensor.extract %h[%0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0] : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

shard.grid @g(shape = 2)
func.func @collectives(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>, %y: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  // expected-error@+1 {{'shard.all_reduce' on a tensor of 33 dimensions: expected 32 at most}}
  %a = shard.all_reduce %x on @g grid_axes = [0] : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32> -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  // expected-error@+1 {{'shard.all_reduce' on a tensor of 33 dimensions: expected 32 at most}}
  %b = shard.all_reduce %y on @g grid_axes = [0] : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32> -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  return
}
