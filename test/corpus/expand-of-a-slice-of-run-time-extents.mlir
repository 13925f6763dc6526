// A slice of run-time extents, whose rows are strided, one dimension of which becomes two of run-time
// extents.
// RUN-CHECK: --grid 1,2,4 --seed 1 --shape 0=2x12x5
// RUN-CHECK: --grid 2,3 --seed 2 --shape 0=5x6x4
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x?x?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %n = arith.divui %d1, %c3 : index
  %s = tensor.extract_slice %x[0, 0, 2] [%d0, %d1, 1] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?x1xf32>
  %c = tensor.cast %s : tensor<?x?x1xf32> to tensor<?x?x?xf32>
  %e = tensor.expand_shape %c [[0], [1, 2], [3]] output_shape [%d0, %n, %c3, %c1]
      : tensor<?x?x?xf32> into tensor<?x?x?x?xf32>
  %r = arith.mulf %e, %e : tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
