// A reshape to extents that a constant of 32 bits says, of which the type knows some.
// RUN-CHECK: --grid 2,3,1 --seed 1
shard.grid @g(shape = 2)
func.func @main(%a: tensor<8xf64>, %w: tensor<4xf64>) -> (tensor<4xf64>, tensor<?x8xf64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %w to %s : tensor<4xf64>
  %b = arith.addf %a, %a : tensor<8xf64>
  %row = arith.constant dense<[1, 8]> : tensor<2xi32>
  %r = tensor.reshape %b(%row) : (tensor<8xf64>, tensor<2xi32>) -> tensor<?x8xf64>
  return %x, %r : tensor<4xf64>, tensor<?x8xf64>
}
