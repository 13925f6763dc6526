// Joins of parts whose extents only the launch knows: a roll, and parts of which some are known.
// RUN-CHECK: --shape 0=9x7 --grid 1,2,3,4
// RUN-CHECK: --shape 0=2x7 --grid 4,8 --seed 2
shard.grid @g(shape = 4)
func.func @main(%u_in: tensor<?x7xf64>, %v_in: tensor<3x7xf64>) -> (tensor<?x7xf64>, tensor<?x7xf64>, tensor<?x7xf64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %u = shard.shard %u_in to %s : tensor<?x7xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %u, %c0 : tensor<?x7xf64>
  %m = arith.subi %n, %c2 : index
  %first = tensor.extract_slice %u[0, 0][2, 7][1, 1] : tensor<?x7xf64> to tensor<2x7xf64>
  %rest = tensor.extract_slice %u[2, 0][%m, 7][1, 1] : tensor<?x7xf64> to tensor<?x7xf64>
  %roll = tensor.concat dim(0) %rest, %first : (tensor<?x7xf64>, tensor<2x7xf64>) -> tensor<?x7xf64>
  %both = tensor.concat dim(0) %v_in, %roll, %u : (tensor<3x7xf64>, tensor<?x7xf64>, tensor<?x7xf64>) -> tensor<?x7xf64>
  %k = tensor.dim %both, %c0 : tensor<?x7xf64>
  %e = tensor.empty(%k) : tensor<?x7xf64>
  %t = linalg.exp ins(%both : tensor<?x7xf64>) outs(%e : tensor<?x7xf64>) -> tensor<?x7xf64>
  return %roll, %both, %t : tensor<?x7xf64>, tensor<?x7xf64>, tensor<?x7xf64>
}
