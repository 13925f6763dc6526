// A slice whose sizes are known at run time only is a result, an argument of a call, and carried by a
// loop: it lies in strided memory, which none of these may take for contiguous.
// RUN-CHECK: --grid 1,2,2x2 --shape 0=6x2x4 --shape 1=6x4x5 --seed 1
shard.grid @g(shape = 2x2)
func.func private @twice(%x: tensor<6x?x?xf64>) -> tensor<6x?x?xf64> {
  %y = arith.addf %x, %x : tensor<6x?x?xf64>
  return %y : tensor<6x?x?xf64>
}
func.func @main(%a: tensor<6x2x?xf64>, %b: tensor<6x?x?xf64>)
    -> (tensor<6x2x?xf64>, tensor<6x?x?xf64>, tensor<6x?x?xf64>, tensor<6x?x?xf64>) {
  %s = shard.sharding @g split_axes = [[0], [], [1]] : !shard.sharding
  %x = shard.shard %b to %s : tensor<6x?x?xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %columns = tensor.dim %x, %c2 : tensor<6x?x?xf64>
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty(%columns) : tensor<6x2x?xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<6x2x?xf64>) -> tensor<6x2x?xf64>
  %p = linalg.batch_matmul ins(%a, %x : tensor<6x2x?xf64>, tensor<6x?x?xf64>)
      outs(%init : tensor<6x2x?xf64>) -> tensor<6x2x?xf64>
  %n = tensor.dim %p, %c2 : tensor<6x2x?xf64>
  %slice = tensor.extract_slice %p[0, 0, %c0] [6, %c1, %n] [1, 1, 1]
      : tensor<6x2x?xf64> to tensor<6x?x?xf64>
  %other = tensor.extract_slice %p[0, 1, %c0] [6, %c1, %n] [1, 1, 1]
      : tensor<6x2x?xf64> to tensor<6x?x?xf64>
  %called = func.call @twice(%other) : (tensor<6x?x?xf64>) -> tensor<6x?x?xf64>
  %carried = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %other) -> tensor<6x?x?xf64> {
    %u = arith.addf %t, %slice : tensor<6x?x?xf64>
    scf.yield %u : tensor<6x?x?xf64>
  }
  return %p, %slice, %called, %carried
      : tensor<6x2x?xf64>, tensor<6x?x?xf64>, tensor<6x?x?xf64>, tensor<6x?x?xf64>
}
