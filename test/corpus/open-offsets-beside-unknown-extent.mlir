// An open annotation with offsets of one dimension does not grow along another whose extent is not
// known: a sharding with offsets says those of every split dimension.
// RUN-CHECK: --shape 0=12x6
// RUN-CHECK: --shape 0=7x6
shard.grid @g(shape = 2x3)
func.func @main(%a_in: tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>) {
  %rows = shard.sharding @g split_axes = [[1], []] : !shard.sharding
  %a = shard.shard %a_in to %rows : tensor<?x6xf32>
  %t = math.tanh %a : tensor<?x6xf32>
  %offsets = shard.sharding @g split_axes = [[], [0]] sharded_dims_offsets = [0, 2, 6]
      : !shard.sharding
  %x = shard.shard %t to %offsets {tessera.open, tessera.flow = "forward"} : tensor<?x6xf32>
  %r = math.absf %x : tensor<?x6xf32>
  %both = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %y = shard.shard %t to %both : tensor<?x6xf32>
  %s = math.absf %y : tensor<?x6xf32>
  // Nor before the offsets count.
  %late = shard.shard %t to %offsets {tessera.open, tessera.priority = [0, 2]} : tensor<?x6xf32>
  %l = math.absf %late : tensor<?x6xf32>
  return %r, %s, %l : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>
}
