// No device has a row of what has none in this run, though its other extent is the op's own to say.
// RUN-CHECK: --shape 0=0x5 --shape 1=0x5 --seed 1
shard.grid @grid(shape = 2)
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %c: i1) -> tensor<?x?xf32> {
  %rows = shard.sharding @grid split_axes = [[0], []] sharded_dims_offsets = [0, 0, 0] : !shard.sharding
  %a = shard.shard %x to %rows : tensor<?x?xf32>
  %b = shard.shard %y to %rows : tensor<?x?xf32>
  %d = arith.select %c, %a, %b : tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}
