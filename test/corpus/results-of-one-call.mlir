// Results that nobody can see to be apart are, each to be freed by the caller.
// RUN-CHECK: --grid 1,2,4 --seed 1
shard.grid @g(shape = 4)
func.func private @twice(%x: tensor<10x6xf32>, %c: i1)
    -> (tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>) {
  %y = arith.addf %x, %x : tensor<10x6xf32>
  %z = arith.select %c, %x, %y : tensor<10x6xf32>
  return %y, %z, %y : tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>
}
func.func @main(%x_in: tensor<10x6xf32>, %c: i1)
    -> (tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x6xf32>
  %r:3 = func.call @twice(%x, %c)
      : (tensor<10x6xf32>, i1) -> (tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>)
  return %r#0, %r#1, %r#2, %r#0 : tensor<10x6xf32>, tensor<10x6xf32>, tensor<10x6xf32>,
      tensor<10x6xf32>
}
