// Extents of a reshape that are known once constants are folded, although the type does not say them.
// RUN-CHECK: --grid 1,2 --shape 0=1x4
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?x?xf32>) {
  %s = shard.sharding @g split_axes = [[], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.extract %x[%c0, %c0] : tensor<?x?xf32>
  %y = tensor.insert %n into %x[%c0, %c1] : tensor<?x?xf32>
  %e = tensor.expand_shape %y [[0], [1, 2]] output_shape [%c1, %c1, %c4] : tensor<?x?xf32> into tensor<?x?x?xf32>
  %f = tensor.collapse_shape %e [[0], [1, 2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
  %t = math.tanh %e : tensor<?x?x?xf32>
  return %f, %t : tensor<?x?xf32>, tensor<?x?x?xf32>
}
