// A merged dimension with a split inner part carries its factors beside split_axes.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[S:.*]] = shard.sharding @g split_axes = {{\[}}[0]] {tessera.factors = {{.*}}8, []], [12, [0]{{.*}}} : !shard.sharding
// CHECK: %[[M:.*]] = tensor.collapse_shape
// CHECK: shard.shard %[[M]] to %[[S]] : tensor<96xf32>

shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<8x12xf32>, %y_in: tensor<8x12xf32>) -> tensor<96xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<8x12xf32>
  %m = tensor.collapse_shape %x [[0, 1]] : tensor<8x12xf32> into tensor<96xf32>
  %r = math.tanh %m : tensor<96xf32>
  return %r : tensor<96xf32>
}
