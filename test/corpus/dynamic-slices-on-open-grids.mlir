// Slices, a pad and a join of extents that only the launch knows, on a grid whose size it says as well.
// RUN-CHECK: --shape 0=9x4 --ranks 1,2,3,5
// RUN-CHECK: --shape 0=2x4 --ranks 4 --seed 2
shard.grid @g(shape = ?)
func.func @main(%u_in: tensor<?x4xf64>) -> (tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>, tensor<4xf64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %u = shard.shard %u_in to %s : tensor<?x4xf64>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 7.0 : f64
  %n = tensor.dim %u, %c0 : tensor<?x4xf64>
  %m = arith.subi %n, %c2 : index
  %a = tensor.extract_slice %u[1, 0][%m, 4][1, 1] : tensor<?x4xf64> to tensor<?x4xf64>
  %p = tensor.pad %u low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f64
  } : tensor<?x4xf64> to tensor<?x4xf64>
  %c = tensor.concat dim(0) %a, %u : (tensor<?x4xf64>, tensor<?x4xf64>) -> tensor<?x4xf64>
  %r = tensor.extract_slice %u[1, 0][1, 4][1, 1] : tensor<?x4xf64> to tensor<4xf64>
  return %a, %p, %c, %r : tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>, tensor<4xf64>
}
