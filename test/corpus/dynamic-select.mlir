// A choice between tensors of different run-time extents.
// RUN-CHECK: --grid 1,2,4 --seed 1 --shape 0=7x4 --shape 1=3x4
// RUN-CHECK: --grid 2,4 --seed 2 --shape 0=2x4 --shape 1=9x4
// RUN-CHECK: --grid 2,4 --seed 3 --shape 0=8x4 --shape 1=1x4
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<?x4xf32>, %y_in: tensor<?x4xf32>, %c: i1) -> (tensor<?x4xf32>, index, tensor<?x4xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x4xf32>
  %y = shard.shard %y_in to %s : tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %u = arith.select %c, %x, %y : tensor<?x4xf32>
  %v = arith.select %not, %x, %y : tensor<?x4xf32>
  %n = tensor.dim %u, %c0 : tensor<?x4xf32>
  %w = shard.shard %v to %t : tensor<?x4xf32>
  return %u, %n, %w : tensor<?x4xf32>, index, tensor<?x4xf32>
}
