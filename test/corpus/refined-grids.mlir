// Annotations on a grid of 6 and on the same devices as 2x3, in one function and in two that call
// each other; uneven pieces, halos, explicit offsets.
// RUN-CHECK: --seed 5
shard.grid @g(shape = 6)
shard.grid @fine(shape = 2x3)
func.func private @coarse(%x_in: tensor<13x8xf32>) -> tensor<13x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<13x8xf32>
  %r = math.tanh %x : tensor<13x8xf32>
  return %r : tensor<13x8xf32>
}
func.func private @finer(%x_in: tensor<13x8xf32>) -> tensor<8xf32> {
  %tiles = shard.sharding @fine split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %tiles : tensor<13x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<13x8xf32>) outs(%f : tensor<8xf32>) dimensions = [0]
  return %s : tensor<8xf32>
}
func.func private @on_the_coarse_grid(%x_in: tensor<13x8xf32>) -> tensor<8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<13x8xf32>
  %r = call @finer(%x) : (tensor<13x8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @main(%x_in: tensor<13x8xf32>, %y_in: tensor<13x8xf32>)
    -> (tensor<13x8xf32>, tensor<13x8xf32>, tensor<8xf32>, tensor<13x8xf32>) {
  %tiles = shard.sharding @fine split_axes = [[0], [1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %halos = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 2] : !shard.sharding
  %offsets = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 1, 4, 4, 8, 11, 13] : !shard.sharding
  %x = shard.shard %x_in to %tiles : tensor<13x8xf32>
  %y = shard.shard %y_in to %halos : tensor<13x8xf32>
  %t = call @coarse(%x) : (tensor<13x8xf32>) -> tensor<13x8xf32>
  %u = arith.mulf %x, %y : tensor<13x8xf32>
  %v = shard.shard %u to %offsets : tensor<13x8xf32>
  %w = call @on_the_coarse_grid(%v) : (tensor<13x8xf32>) -> tensor<8xf32>
  %z = arith.addf %u, %t : tensor<13x8xf32>
  %zr = shard.shard %z to %rows annotate_for_users : tensor<13x8xf32>
  %n = arith.negf %zr : tensor<13x8xf32>
  return %t, %v, %w, %n : tensor<13x8xf32>, tensor<13x8xf32>, tensor<8xf32>, tensor<13x8xf32>
}
