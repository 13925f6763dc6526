// An open dimension that says where its shards start has these shards and no others; and a dimension takes no
// second axis that upstream's verifier would count wrong before the offsets of another.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' -o %t
// RUN: FileCheck %s < %t
// RUN: %mlir_opt %t --pass-pipeline='builtin.module(canonicalize,cse,tessera-propagate,tessera-partition)' -o /dev/null

shard.grid @g(shape = 2x3)

// CHECK-LABEL: func.func @starts
// CHECK: shard.sharding @g split_axes = {{\[\[}}1], []] sharded_dims_offsets = [0, 1, 6, 6]
func.func @starts(%x_in: tensor<6x5xf32>) -> tensor<6x5xf32> {
  %some = shard.sharding @g split_axes = [[1]] sharded_dims_offsets = [0, 1, 6, 6] {tessera.open = [0]} : !shard.sharding
  %both = shard.sharding @g split_axes = [[1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %some : tensor<6x5xf32>
  %y = math.absf %x : tensor<6x5xf32>
  %z = shard.shard %y to %both : tensor<6x5xf32>
  return %z : tensor<6x5xf32>
}

// The second dimension says where its shards start: the first one is split over one axis at most.
// CHECK-LABEL: func.func @counted
// CHECK: shard.sharding @g2 split_axes = {{\[\[}}], [2]] sharded_dims_offsets = [0, 1, 12]
shard.grid @g2(shape = 2x3x2)
func.func @counted(%x_in: tensor<12x12xf32>) -> tensor<12x12xf32> {
  %some = shard.sharding @g2 split_axes = [[], [2]] sharded_dims_offsets = [0, 1, 12] {tessera.open} : !shard.sharding
  %both = shard.sharding @g2 split_axes = [[1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %some : tensor<12x12xf32>
  %y = math.absf %x : tensor<12x12xf32>
  %z = shard.shard %y to %both : tensor<12x12xf32>
  return %z : tensor<12x12xf32>
}
