// Numbers of an annotation that nothing uses: they are computed for it alone.
// RUN-CHECK: --grid 1,2,3 --seed 1
shard.grid @g(shape = 2)
func.func @main(%x: tensor<9xf32>, %y: tensor<6xf32>, %n: i64 {tessera.range = [0, 4]}) -> tensor<6xf32> {
  %two = arith.constant 2 : i64
  %h = arith.remsi %n, %two : i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%h, 0] : !shard.sharding
  %unused = shard.shard %x to %s : tensor<9xf32>
  %t = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %y1 = shard.shard %y to %t : tensor<6xf32>
  %r = math.tanh %y1 : tensor<6xf32>
  return %r : tensor<6xf32>
}
