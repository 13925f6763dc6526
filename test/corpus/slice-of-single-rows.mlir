// Slices that lack their last dimension, of which devices have single rows: by offsets and sizes
// that are operands, in a loop of one trip too.
// RUN-CHECK: --entry extracts --grid 2,1,4,3,8
// RUN-CHECK: --entry inserts --grid 2,1,4,3,8
shard.grid @g(shape = 2)
func.func @extracts(%a: tensor<2x5x6xf64>) -> (tensor<2x5xf64>, tensor<2x5xf64>, tensor<?x?xf64>, tensor<?x5xf64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<2x5x6xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %d = tensor.dim %x, %c0 : tensor<2x5x6xf64>
  %by_offset = tensor.extract_slice %x[0, %c0, 1] [2, 5, 1] [1, 1, 1]
    : tensor<2x5x6xf64> to tensor<2x5xf64>
  %t = math.absf %by_offset : tensor<2x5xf64>
  %z = arith.constant dense<0.0> : tensor<2x5xf64>
  %sum = scf.for %i = %c1 to %c2 step %c1 iter_args(%u = %z) -> tensor<2x5xf64> {
    %y = tensor.extract_slice %x[0, 0, %i] [2, 5, 1] [1, 1, 1]
      : tensor<2x5x6xf64> to tensor<2x5xf64>
    %v = arith.addf %u, %y : tensor<2x5xf64>
    scf.yield %v : tensor<2x5xf64>
  }
  %by_sizes = tensor.extract_slice %x[0, 0, 4] [%c2, %c5, 1] [1, 1, 1]
    : tensor<2x5x6xf64> to tensor<?x?xf64>
  %by_dim = tensor.extract_slice %x[0, 0, 4] [%d, 5, 1] [1, 1, 1]
    : tensor<2x5x6xf64> to tensor<?x5xf64>
  return %t, %sum, %by_sizes, %by_dim
    : tensor<2x5xf64>, tensor<2x5xf64>, tensor<?x?xf64>, tensor<?x5xf64>
}

func.func @inserts(%a: tensor<2x5x6xf64>, %b: tensor<2x5xf64>) -> (tensor<2x5x6xf64>, tensor<2x5x6xf64>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<2x5x6xf64>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c = tensor.cast %b : tensor<2x5xf64> to tensor<?x?xf64>
  %by_offset = tensor.insert_slice %b into %x[0, %c0, 1] [2, 5, 1] [1, 1, 1]
    : tensor<2x5xf64> into tensor<2x5x6xf64>
  %by_sizes = tensor.insert_slice %c into %x[0, 0, 4] [%c2, %c5, 1] [1, 1, 1]
    : tensor<?x?xf64> into tensor<2x5x6xf64>
  return %by_offset, %by_sizes : tensor<2x5x6xf64>, tensor<2x5x6xf64>
}
