// Reshapes that list extents: what is beside a kept one may be different where that is nothing, sizes of 1 go in front of
// one, and heads are merged with their batch in front of a sequence.
// RUN-CHECK: --entry ones --shape 0=1x9x4 --shape 1=9x1 --grid 1,2,3,4 --seed 1
// RUN-CHECK: --entry nothing --shape 0=0x5 --shape 1=0x5 --grid 1,2,3,4 --seed 1
// RUN-CHECK: --entry heads --shape 0=6x4x3x8 --grid 1,2,3,4 --seed 1
// RUN-CHECK: --entry heads --shape 0=1x4x1x8 --grid 3,4 --seed 1
// RUN-CHECK: --entry heads --shape 0=0x4x3x8 --grid 3,4 --seed 1
// RUN-CHECK: --entry heads --shape 0=3x4x0x8 --grid 3,4 --seed 1
shard.grid @g(shape = 4)
func.func @ones(%x_in: tensor<1x?x4xf32>, %z: tensor<?x?xf32>) -> (tensor<?x4xf32>, tensor<1x?x4xf32>, tensor<?xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<1x?x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c1 : tensor<1x?x4xf32>
  %sh = tensor.from_elements %n, %c4 : tensor<2xindex>
  %y = tensor.reshape %x(%sh) : (tensor<1x?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %y2 = arith.addf %y, %y : tensor<?x4xf32>
  %sh3 = tensor.from_elements %c1, %n, %c4 : tensor<3xindex>
  %y3 = tensor.reshape %y2(%sh3) : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<1x?x4xf32>
  %m = tensor.dim %z, %c0 : tensor<?x?xf32>
  %shz = tensor.from_elements %m : tensor<1xindex>
  %zz = arith.addf %z, %z : tensor<?x?xf32>
  %w = tensor.reshape %zz(%shz) : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %y2, %y3, %w : tensor<?x4xf32>, tensor<1x?x4xf32>, tensor<?xf32>
}
func.func @nothing(%x_in: tensor<?x5xf32>, %y_in: tensor<?x?xf32>, %m_in: tensor<i64> {tessera.range = [7, 8]}) -> (tensor<?x7xf32>, tensor<?x?xf32>) {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x5xf32>
  %y = shard.shard %y_in to %s : tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %n = tensor.dim %x, %c0 : tensor<?x5xf32>
  %x_extents = tensor.from_elements %n, %c7 : tensor<2xindex>
  %u = tensor.reshape %x(%x_extents) : (tensor<?x5xf32>, tensor<2xindex>) -> tensor<?x7xf32>
  %m_number = tensor.extract %m_in[] : tensor<i64>
  %m = arith.index_cast %m_number : i64 to index
  %k = tensor.dim %y, %c0 : tensor<?x?xf32>
  %y_extents = tensor.from_elements %k, %m : tensor<2xindex>
  %v = tensor.reshape %y(%y_extents) : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %u, %v : tensor<?x7xf32>, tensor<?x?xf32>
}
func.func @heads(%x_in: tensor<?x4x?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x4x?x8xf32>, tensor<?x?xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x4x?x8xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %c32 = arith.constant 32 : i64
  %b = tensor.dim %x, %c0 : tensor<?x4x?x8xf32>
  %s0 = tensor.dim %x, %c2 : tensor<?x4x?x8xf32>
  %b64 = arith.index_cast %b : index to i64
  %s64 = arith.index_cast %s0 : index to i64
  %b4 = arith.muli %b64, %c4 : i64
  %sh = tensor.from_elements %b4, %s64, %c8 : tensor<3xi64>
  %y = tensor.reshape %x(%sh) : (tensor<?x4x?x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
  %y2 = arith.mulf %y, %y : tensor<?x?x8xf32>
  %sh2 = tensor.from_elements %b64, %c4, %s64, %c8 : tensor<4xi64>
  %z = tensor.reshape %y2(%sh2) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x4x?x8xf32>
  %s32 = arith.muli %s64, %c32 : i64
  %sh3 = tensor.from_elements %b64, %s32 : tensor<2xi64>
  %w = tensor.reshape %z(%sh3) : (tensor<?x4x?x8xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %y2, %z, %w : tensor<?x?x8xf32>, tensor<?x4x?x8xf32>, tensor<?x?xf32>
}
