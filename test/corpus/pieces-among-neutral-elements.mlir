// What is split becomes partial along the axes that split it without a message: each piece is put in its
// place, and neutral elements around it; also uneven pieces, empty ones, and of extents of the run.
// RUN-CHECK: --grid 2x3,3x2,2x2,4x1 --shape 2=5x4
shard.grid @g(shape = 2x3)
func.func @main(%x_in: tensor<7x5xf32>, %y_in: tensor<4x2xi32>, %z_in: tensor<?x4xf64>)
    -> (tensor<7x5xf32>, tensor<4x2xi32>, tensor<?x4xf64>) {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %sums = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial sum>], [1, #shard<partial sum>]]} : !shard.sharding
  %most = shard.sharding @g split_axes = [[0]] {tessera.partial = [[1, #shard<partial max>]]} : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<7x5xf32>
  %y = shard.shard %y_in to %rows : tensor<4x2xi32>
  %z = shard.shard %z_in to %rows : tensor<?x4xf64>
  %a = arith.negf %x : tensor<7x5xf32>
  %b = arith.addi %y, %y : tensor<4x2xi32>
  %c = arith.negf %z : tensor<?x4xf64>
  %a0 = shard.shard %a to %sums : tensor<7x5xf32>
  %b0 = shard.shard %b to %most : tensor<4x2xi32>
  %c0 = shard.shard %c to %sums : tensor<?x4xf64>
  return %a0, %b0, %c0 : tensor<7x5xf32>, tensor<4x2xi32>, tensor<?x4xf64>
}
