// A roll by a shift that only the run knows looks up as much as a piece has: rows move to columns and back, which
// is less than the rows that each device would need of both copies, and their sum.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' | FileCheck %s --implicit-check-not=exchange --implicit-check-not=reduce_scatter --implicit-check-not=all_gather
shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @main
// CHECK: shard.all_to_all {{.*}} tensor<300x80xf32> -> tensor<1200x20xf32>
// CHECK: tensor.extract_slice {{.*}} tensor<2400x20xf32> to tensor<1200x20xf32>
// CHECK: shard.all_to_all {{.*}} tensor<1200x20xf32> -> tensor<300x80xf32>
func.func @main(%x_in: tensor<1200x80xf32>, %shift: index) -> tensor<1200x80xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<1200x80xf32>
  %twice = tensor.concat dim(0) %x, %x : (tensor<1200x80xf32>, tensor<1200x80xf32>) -> tensor<2400x80xf32>
  %c1200 = arith.constant 1200 : index
  %from = arith.remui %shift, %c1200 : index
  %rolled = tensor.extract_slice %twice[%from, 0] [1200, 80] [1, 1] : tensor<2400x80xf32> to tensor<1200x80xf32>
  return %rolled : tensor<1200x80xf32>
}
