// Only the shape of an argument is asked for, so that no use of its annotation is left between the passes.
// RUN-CHECK: --shape 0=7x3 --grid 1,2,3,4 --seed 1
// RUN-CHECK: --shape 0=1x3 --grid 2,6 --seed 2
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<?x3xf64>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x_in, %c0 : tensor<?x3xf64>
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x3xf64>
  return %n : index
}
