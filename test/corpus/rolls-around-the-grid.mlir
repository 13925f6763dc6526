// Large elementwise ops on rolls along split dimensions: what wraps around is one device's piece or
// another's, so where pieces meet depends on the device.
// RUN-CHECK: --grid 2,4,2x2,3x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<1536x96xf64>) -> tensor<1536x96xf64> {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<1536x96xf64>
  %a = tensor.extract_slice %x[1535, 0] [1, 96] [1, 1] : tensor<1536x96xf64> to tensor<1x96xf64>
  %b = tensor.extract_slice %x[0, 0] [1535, 96] [1, 1] : tensor<1536x96xf64> to tensor<1535x96xf64>
  %down = tensor.concat dim(0) %a, %b : (tensor<1x96xf64>, tensor<1535x96xf64>) -> tensor<1536x96xf64>
  %c = tensor.extract_slice %x[2, 0] [1534, 96] [1, 1] : tensor<1536x96xf64> to tensor<1534x96xf64>
  %d = tensor.extract_slice %x[0, 0] [2, 96] [1, 1] : tensor<1536x96xf64> to tensor<2x96xf64>
  %up = tensor.concat dim(0) %c, %d : (tensor<1534x96xf64>, tensor<2x96xf64>) -> tensor<1536x96xf64>
  %e = tensor.extract_slice %x[0, 95] [1536, 1] [1, 1] : tensor<1536x96xf64> to tensor<1536x1xf64>
  %f = tensor.extract_slice %x[0, 0] [1536, 95] [1, 1] : tensor<1536x96xf64> to tensor<1536x95xf64>
  %right = tensor.concat dim(1) %e, %f : (tensor<1536x1xf64>, tensor<1536x95xf64>) -> tensor<1536x96xf64>
  // Farther than a piece.
  %g = tensor.extract_slice %x[600, 0] [936, 96] [1, 1] : tensor<1536x96xf64> to tensor<936x96xf64>
  %h = tensor.extract_slice %x[0, 0] [600, 96] [1, 1] : tensor<1536x96xf64> to tensor<600x96xf64>
  %far = tensor.concat dim(0) %g, %h : (tensor<936x96xf64>, tensor<600x96xf64>) -> tensor<1536x96xf64>
  %0 = arith.mulf %down, %up : tensor<1536x96xf64>
  %1 = arith.addf %0, %right : tensor<1536x96xf64>
  %2 = arith.subf %1, %far : tensor<1536x96xf64>
  %3 = arith.addf %2, %x : tensor<1536x96xf64>
  return %3 : tensor<1536x96xf64>
}
