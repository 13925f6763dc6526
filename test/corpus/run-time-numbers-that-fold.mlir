// Numbers that propagate takes for such of the run, and canonicalize finds to be constants; beside
// them true ones, also of an unused argument, and of one that a callee does not use.
// RUN-CHECK: --seed 1
// RUN-CHECK: --seed 2
shard.grid @g(shape = 4)
func.func private @unused(%x: tensor<8x2xf64>, %y: tensor<8x2xf64>, %h: i64) -> tensor<8x2xf64> {
  %halo = shard.sharding @g split_axes = [[0]] halo_sizes = [%h, 1] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %rows : tensor<8x2xf64>
  %b = shard.shard %y to %halo : tensor<8x2xf64>
  %t = math.tanh %a : tensor<8x2xf64>
  return %t : tensor<8x2xf64>
}
func.func @main(%x_in: tensor<8x2xf64>, %y: tensor<8x2xf64>, %z: tensor<6xf64>,
                %h: i64 {tessera.range = [0, 3]}, %k: i64 {tessera.range = [2, 6]})
    -> (tensor<8x2xf64>, tensor<8x2xf64>) {
  %two = arith.constant 2 : i64
  %five = arith.constant 5 : i64
  %least = arith.minsi %two, %five : i64
  %most = arith.maxsi %two, %k : i64
  %cut = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %least, %most, 6, 8] : !shard.sharding
  %halo = shard.sharding @g split_axes = [[0]] halo_sizes = [%h, 1] : !shard.sharding
  %x = shard.shard %x_in to %cut : tensor<8x2xf64>
  %w = shard.shard %z to %halo : tensor<6xf64>
  %t = math.tanh %x : tensor<8x2xf64>
  %u = func.call @unused(%t, %y, %h) : (tensor<8x2xf64>, tensor<8x2xf64>, i64) -> tensor<8x2xf64>
  return %t, %u : tensor<8x2xf64>, tensor<8x2xf64>
}
