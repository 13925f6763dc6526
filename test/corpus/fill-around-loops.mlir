// Fills and empty tensors used before, in and after loops: annotations of one plain value in several blocks do not mix.
// RUN-CHECK: --grid 2x2,3x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<6x6xf32>) -> (tensor<6x6xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k = tensor.empty() : tensor<6x6xf32>
  %f = arith.constant 2.5 : f32
  %z = linalg.fill ins(%f : f32) outs(%k : tensor<6x6xf32>) -> tensor<6x6xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %x) -> (tensor<6x6xf32>) {
    %ac2 = arith.divf %acc, %z : tensor<6x6xf32>
    %q = scf.for %j = %c0 to %i step %c1 iter_args(%acc2 = %ac2) -> (tensor<6x6xf32>) {
      %m = linalg.transpose ins(%acc2 : tensor<6x6xf32>) outs(%k : tensor<6x6xf32>) permutation = [1, 0]
      %n = arith.addf %m, %z : tensor<6x6xf32>
      scf.yield %n : tensor<6x6xf32>
    }
    scf.yield %q : tensor<6x6xf32>
  }
  %e = arith.mulf %r, %z : tensor<6x6xf32>
  %t = linalg.transpose ins(%e : tensor<6x6xf32>) outs(%k : tensor<6x6xf32>) permutation = [1, 0]
  return %t : tensor<6x6xf32>
}
