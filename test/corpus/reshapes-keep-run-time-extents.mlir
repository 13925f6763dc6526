// Heads of a batch and a sequence whose extents only the run knows, split and merged by listed extents, which once come
// in the other order.
// RUN-CHECK: --shape 0=5x3x32 --grid 1,2,3,4,8 --seed 1
// RUN-CHECK: --shape 0=2x6x32 --grid 4,3 --seed 2
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<?x?x32xf32>) -> (tensor<?x4x?x8xf32>, tensor<?x?x32xf32>, tensor<?x?x4x8xf32>) {
  %batch = shard.sharding @g split_axes = [[0], [], []] : !shard.sharding
  %x = shard.shard %x_in to %batch : tensor<?x?x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %c32 = arith.constant 32 : i64
  %n = tensor.dim %x, %c0 : tensor<?x?x32xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?x32xf32>
  %n_number = arith.index_cast %n : index to i64
  %m_number = arith.index_cast %m : index to i64
  %split_extents = tensor.from_elements %n_number, %m_number, %c4, %c8 : tensor<4xi64>
  %empty = tensor.empty(%n, %m) : tensor<?x?x32xf32>
  %twice = linalg.add ins(%x, %x : tensor<?x?x32xf32>, tensor<?x?x32xf32>) outs(%empty : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  %split = tensor.reshape %twice(%split_extents) : (tensor<?x?x32xf32>, tensor<4xi64>) -> tensor<?x?x4x8xf32>
  %empty_heads = tensor.empty(%n, %m) : tensor<?x4x?x8xf32>
  %heads = linalg.transpose ins(%split : tensor<?x?x4x8xf32>) outs(%empty_heads : tensor<?x4x?x8xf32>) permutation = [0, 2, 1, 3]
  %merged_extents = tensor.from_elements %n_number, %m_number, %c32 : tensor<3xi64>
  %merged = tensor.reshape %split(%merged_extents) : (tensor<?x?x4x8xf32>, tensor<3xi64>) -> tensor<?x?x32xf32>
  %turned_extents = tensor.from_elements %m_number, %n_number, %c4, %c8 : tensor<4xi64>
  %turned = tensor.reshape %twice(%turned_extents) : (tensor<?x?x32xf32>, tensor<4xi64>) -> tensor<?x?x4x8xf32>
  return %heads, %merged, %turned : tensor<?x4x?x8xf32>, tensor<?x?x32xf32>, tensor<?x?x4x8xf32>
}
