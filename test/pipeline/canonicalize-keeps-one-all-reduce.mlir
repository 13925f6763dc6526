// canonicalize and cse between the passes neither add nor lose a collective.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(canonicalize,cse,tessera-propagate,canonicalize,cse,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%{{.*}}: tensor<6x16xf32> {{.*}}, %{{.*}}: tensor<16x12xf32> {{.*}}, %{{.*}}: tensor<12x8xf32> {{.*}}) -> (tensor<6x8xf32>
// CHECK: shard.all_reduce {{.*}} on @g grid_axes = [1] : tensor<6x8xf32> -> tensor<6x8xf32>

shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<12x16xf32>, %w1_in: tensor<16x24xf32>, %w2_in: tensor<24x8xf32>)
    -> tensor<12x8xf32> {
  %batch = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %batch : tensor<12x16xf32>
  %w1 = shard.shard %w1_in to %columns : tensor<16x24xf32>
  %w2 = shard.shard %w2_in to %rows : tensor<24x8xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<12x24xf32>
  %e1 = tensor.empty() : tensor<12x24xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<12x24xf32>) -> tensor<12x24xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<12x16xf32>, tensor<16x24xf32>)
      outs(%i1 : tensor<12x24xf32>) -> tensor<12x24xf32>
  %relu = arith.maximumf %h, %zeros : tensor<12x24xf32>
  %e2 = tensor.empty() : tensor<12x8xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<12x8xf32>) -> tensor<12x8xf32>
  %y = linalg.matmul ins(%relu, %w2 : tensor<12x24xf32>, tensor<24x8xf32>)
      outs(%i2 : tensor<12x8xf32>) -> tensor<12x8xf32>
  return %y : tensor<12x8xf32>
}
