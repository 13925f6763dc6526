// Splat constants, tensor.splat and a constant of rank 0 beside a split tensor.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
func.func @main(%x_in: tensor<10xf32>, %p: f32) -> tensor<10xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10xf32>
  %c = arith.constant dense<2.0> : tensor<10xf32>
  %d = arith.constant dense<3.0> : tensor<f32>
  %q = tensor.splat %p : tensor<10xf32>
  %0 = arith.mulf %x, %c : tensor<10xf32>
  %1 = arith.addf %0, %q : tensor<10xf32>
  %empty = tensor.empty() : tensor<10xf32>
  %r = linalg.generic {indexing_maps = [#i, #none, #i], iterator_types = ["parallel"]}
      ins(%1, %d : tensor<10xf32>, tensor<f32>) outs(%empty : tensor<10xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<10xf32>
  return %r : tensor<10xf32>
}
