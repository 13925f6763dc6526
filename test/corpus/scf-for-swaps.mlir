// A loop that carries two tensors with different annotations, a scalar and a counter, and swaps.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x8xf32>, %y_in: tensor<10x8xf32>,
                %n: index {tessera.range = [1, 5]})
    -> (tensor<10x8xf32>, tensor<10x8xf32>, f32) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %y = shard.shard %y_in to %columns : tensor<10x8xf32>
  %p = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  %r:3 = scf.for %i = %lower to %n step %step iter_args(%a = %x, %b = %y, %q = %p)
      -> (tensor<10x8xf32>, tensor<10x8xf32>, f32) {
    %s = tensor.splat %q : tensor<10x8xf32>
    %0 = arith.mulf %a, %s : tensor<10x8xf32>
    %1 = arith.addf %0, %b : tensor<10x8xf32>
    %next = arith.mulf %q, %half : f32
    scf.yield %1, %0, %next : tensor<10x8xf32>, tensor<10x8xf32>, f32
  }
  return %r#0, %r#1, %r#2 : tensor<10x8xf32>, tensor<10x8xf32>, f32
}
