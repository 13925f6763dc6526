// Every second row, the first ones, one row and a pad, along an extent that only the launch knows.
// RUN-CHECK: --shape 0=9x7 --grid 1,2,3,4
// RUN-CHECK: --shape 0=4x7 --grid 4,5 --seed 2
shard.grid @g(shape = 4)
func.func @main(%u_in: tensor<?x7xf64>) -> (tensor<?x7xf64>, tensor<3x7xf64>, tensor<7xf64>, tensor<?x7xf64>, tensor<7xf64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %u = shard.shard %u_in to %s : tensor<?x7xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %u, %c0 : tensor<?x7xf64>
  %half = arith.divui %n, %c2 : index
  %even = tensor.extract_slice %u[0, 0][%half, 7][2, 1] : tensor<?x7xf64> to tensor<?x7xf64>
  %three = tensor.extract_slice %u[1, 0][3, 7][1, 1] : tensor<?x7xf64> to tensor<3x7xf64>
  %row = tensor.extract_slice %u[2, 0][1, 7][1, 1] : tensor<?x7xf64> to tensor<7xf64>
  %p = tensor.pad %u low[2, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f64
  } : tensor<?x7xf64> to tensor<?x7xf64>
  %e = tensor.empty() : tensor<7xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<7xf64>) -> tensor<7xf64>
  %sum = linalg.reduce ins(%three : tensor<3x7xf64>) outs(%f : tensor<7xf64>) dimensions = [0] (%a: f64, %b: f64) {
    %x = arith.addf %a, %b : f64
    linalg.yield %x : f64
  }
  return %even, %three, %row, %p, %sum : tensor<?x7xf64>, tensor<3x7xf64>, tensor<7xf64>, tensor<?x7xf64>, tensor<7xf64>
}
