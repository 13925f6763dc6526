// A reshape that lists the extents of a batch and of a sequence, which only the run knows, and splits or merges what
// is behind them, is one of that alone where both sides surely have the same: heads of a split batch move nothing.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false},tessera-partition,canonicalize,cse)' | FileCheck %s

shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @heads(
// CHECK-NOT: shard.all_gather
// CHECK-NOT: shard.all_to_all
// CHECK-NOT: tessera.all_
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2, 3]]
// CHECK-NOT: tensor.reshape
// CHECK: return {{.*}} : tensor<?x4x?x8xf32>, tensor<?x?x32xf32>
func.func @heads(%x_in: tensor<?x?x32xf32>) -> (tensor<?x4x?x8xf32>, tensor<?x?x32xf32>) {
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
  return %heads, %merged : tensor<?x4x?x8xf32>, tensor<?x?x32xf32>
}

// Tokens viewed as rows of their own length, whose number importers compute, if that is not negative.
// CHECK-LABEL: func.func @viewed(
// CHECK-NOT: tensor.reshape
// CHECK-NOT: tensor.collapse_shape
// CHECK: return %arg0 : tensor<?x?xi64>
func.func @viewed(%x_in: tensor<?x?xi64>) -> tensor<?x?xi64> {
  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x?xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = tensor.dim %x, %c0 : tensor<?x?xi64>
  %m = tensor.dim %x, %c1 : tensor<?x?xi64>
  %n_number = arith.index_cast %n : index to i64
  %m_number = arith.index_cast %m : index to i64
  %is_open = arith.cmpi slt, %m_number, %zero : i64
  %by = arith.select %is_open, %one, %m_number : i64
  %all = arith.muli %n_number, %m_number : i64
  %number = arith.divsi %all, %by : i64
  %length = arith.select %is_open, %number, %m_number : i64
  %extents = tensor.from_elements %number, %length : tensor<2xi64>
  %viewed = tensor.reshape %x(%extents) : (tensor<?x?xi64>, tensor<2xi64>) -> tensor<?x?xi64>
  return %viewed : tensor<?x?xi64>
}

// The batch of a product of merged batches and heads, as importers count it: times 4, by 4, the larger of it and itself.
// CHECK-LABEL: func.func @counted(
// CHECK-NOT: tensor.reshape
// CHECK-NOT: shard.all_to_all
// CHECK-NOT: tessera.all_to_all
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]]
func.func @counted(%x_in: tensor<?x?x4x8xf32>) -> tensor<?x?x32xf32> {
  %batch = shard.sharding @g split_axes = [[0], [], [], []] : !shard.sharding
  %x = shard.shard %x_in to %batch : tensor<?x?x4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : i64
  %n = tensor.dim %x, %c0 : tensor<?x?x4x8xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?x4x8xf32>
  %times = arith.muli %n, %c4 : index
  %by = arith.divsi %times, %c4 : index
  %larger = arith.maxui %by, %n : index
  %empty = tensor.empty(%larger, %m) : tensor<?x?x4x8xf32>
  %twice = linalg.add ins(%x, %x : tensor<?x?x4x8xf32>, tensor<?x?x4x8xf32>) outs(%empty : tensor<?x?x4x8xf32>) -> tensor<?x?x4x8xf32>
  %n_number = arith.index_cast %n : index to i64
  %m_number = arith.index_cast %m : index to i64
  %extents = tensor.from_elements %n_number, %m_number, %c32 : tensor<3xi64>
  %merged = tensor.reshape %twice(%extents) : (tensor<?x?x4x8xf32>, tensor<3xi64>) -> tensor<?x?x32xf32>
  return %merged : tensor<?x?x32xf32>
}

// Extents in another order are not those of the same dimensions.
// CHECK-LABEL: func.func @turned(
// CHECK: tensor.reshape
func.func @turned(%x_in: tensor<?x?x32xf32>) -> tensor<?x?x4x8xf32> {
  %batch = shard.sharding @g split_axes = [[0], [], []] : !shard.sharding
  %x = shard.shard %x_in to %batch : tensor<?x?x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x32xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?x32xf32>
  %extents = tensor.from_elements %m, %n, %c4, %c8 : tensor<4xindex>
  %split = tensor.reshape %x(%extents) : (tensor<?x?x32xf32>, tensor<4xindex>) -> tensor<?x?x4x8xf32>
  return %split : tensor<?x?x4x8xf32>
}

// A batch merged with its heads, and split again: what is listed is the product of what is read.
// CHECK-LABEL: func.func @batch_of_heads(
// CHECK-NOT: shard.all_gather
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2], [3]]
// CHECK-NOT: shard.all_gather
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2], [3]]
// CHECK-NOT: shard.all_gather
// CHECK: return
func.func @batch_of_heads(%x_in: tensor<?x4x?x8xf32>) -> tensor<?x4x?x8xf32> {
  %batch = shard.sharding @g split_axes = [[0], [], [], []] : !shard.sharding
  %x = shard.shard %x_in to %batch : tensor<?x4x?x8xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %n = tensor.dim %x, %c0 : tensor<?x4x?x8xf32>
  %m = tensor.dim %x, %c2 : tensor<?x4x?x8xf32>
  %n_number = arith.index_cast %n : index to i64
  %m_number = arith.index_cast %m : index to i64
  %heads = arith.muli %n_number, %c4 : i64
  %merged_extents = tensor.from_elements %heads, %m_number, %c8 : tensor<3xi64>
  %merged = tensor.reshape %x(%merged_extents) : (tensor<?x4x?x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
  %square = arith.mulf %merged, %merged : tensor<?x?x8xf32>
  %split_extents = tensor.from_elements %n_number, %c4, %m_number, %c8 : tensor<4xi64>
  %split = tensor.reshape %square(%split_extents) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x4x?x8xf32>
  return %split : tensor<?x4x?x8xf32>
}

// A size of 1 in front of all that is kept.
// CHECK-LABEL: func.func @one_in_front(
// CHECK-NOT: shard.all_gather
// CHECK-NOT: tensor.reshape
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]]
// CHECK: return
func.func @one_in_front(%x_in: tensor<1x?x4xf32>) -> tensor<?x4xf32> {
  %sequence = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %sequence : tensor<1x?x4xf32>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c1 : tensor<1x?x4xf32>
  %extents = tensor.from_elements %n, %c4 : tensor<2xindex>
  %y = tensor.reshape %x(%extents) : (tensor<1x?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
