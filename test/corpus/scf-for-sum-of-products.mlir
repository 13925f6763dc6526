// A loop accumulates products whose summed dimension is split, and starts from an argument.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<6x10xf32>, %b: tensor<10x7xf32>, %init: tensor<6x7xf32>)
    -> tensor<6x7xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<6x10xf32>
  %lower = arith.constant 0 : index
  %upper = arith.constant 4 : index
  %step = arith.constant 2 : index
  %r = scf.for %i = %lower to %upper step %step iter_args(%acc = %init) -> (tensor<6x7xf32>) {
    %m = linalg.matmul ins(%a, %b : tensor<6x10xf32>, tensor<10x7xf32>)
        outs(%acc : tensor<6x7xf32>) -> tensor<6x7xf32>
    scf.yield %m : tensor<6x7xf32>
  }
  return %r : tensor<6x7xf32>
}
