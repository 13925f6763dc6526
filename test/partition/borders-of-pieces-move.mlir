// Where rows of a dimension are not alike on all devices, they are split nevertheless, and the part of a row
// that a device has too many of, or too few, moves: 1022 elements from the second on as 511 rows of two, and
// a slice of what merges 250 rows of four.
// RUN: %mlir_opt %s --split-input-file --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s
shard.grid @g(shape = 8)
// CHECK-LABEL: func.func @to_rows
// CHECK-NOT: tensor<1022xf32>
// CHECK: tessera.exchange {{.*}} to {factors = {{\[\[\[}}1024, [0]]]], {{.*}}, offsets
// CHECK: tessera.exchange {{.*}} to {factors = {{\[\[\[}}511, [0]], [2, []]]]
// CHECK: tensor.expand_shape {{.*}} : tensor<?xf32> into tensor<?x2xf32>
// CHECK: math.exp
func.func @to_rows(%arg0: tensor<1024xf32>) -> tensor<511x2xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %arg0 to %s : tensor<1024xf32>
  %slice = tensor.extract_slice %x[1] [1022] [1] : tensor<1024xf32> to tensor<1022xf32>
  %rows = tensor.expand_shape %slice [[0, 1]] output_shape [511, 2] : tensor<1022xf32> into tensor<511x2xf32>
  %e = math.exp %rows : tensor<511x2xf32>
  return %e : tensor<511x2xf32>
}

// -----

shard.grid @g(shape = 8)
// CHECK-LABEL: func.func @from_rows
// CHECK-NOT: tensor<1000xf32>
// CHECK: tessera.exchange
// CHECK: math.exp
func.func @from_rows(%arg0: tensor<250x4xf32>) -> tensor<999xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %arg0 to %s : tensor<250x4xf32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<250x4xf32> into tensor<1000xf32>
  %slice = tensor.extract_slice %flat[1] [999] [1] : tensor<1000xf32> to tensor<999xf32>
  %e = math.exp %slice : tensor<999xf32>
  return %e : tensor<999xf32>
}
