// A function without annotations is called from one that has them, with split operands: it is
// partitioned for these.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func private @helper(%x: tensor<10x8xf32>, %p: f32) -> (tensor<10x8xf32>, tensor<8x10xf32>) {
  %q = tensor.splat %p : tensor<10x8xf32>
  %y = arith.mulf %x, %q : tensor<10x8xf32>
  %e = tensor.empty() : tensor<8x10xf32>
  %t = linalg.transpose ins(%y : tensor<10x8xf32>) outs(%e : tensor<8x10xf32>)
      permutation = [1, 0]
  return %y, %t : tensor<10x8xf32>, tensor<8x10xf32>
}
func.func @main(%x_in: tensor<10x8xf32>, %p: f32) -> (tensor<10x8xf32>, tensor<8x10xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %0 = arith.addf %x, %x : tensor<10x8xf32>
  %1:2 = func.call @helper(%0, %p)
      : (tensor<10x8xf32>, f32) -> (tensor<10x8xf32>, tensor<8x10xf32>)
  %2 = arith.addf %1#0, %x : tensor<10x8xf32>
  return %2, %1#1 : tensor<10x8xf32>, tensor<8x10xf32>
}
