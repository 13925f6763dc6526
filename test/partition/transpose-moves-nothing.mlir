// Transposes carry their axes along.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%{{.*}}: tensor<3x10x4xf32> {{.*}}) -> (tensor<4x3x10xf32> {{.*}}, tensor<10x4x3xf32>

shard.grid @g(shape = 2x2)
#abc = affine_map<(a, b, c) -> (a, b, c)>
#cab = affine_map<(a, b, c) -> (c, a, b)>
func.func @main(%x_in: tensor<6x10x8xf32>) -> (tensor<8x6x10xf32>, tensor<10x8x6xf32>) {
  %s = shard.sharding @g split_axes = [[1], [], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x10x8xf32>
  %e0 = tensor.empty() : tensor<8x6x10xf32>
  %0 = linalg.generic {indexing_maps = [#abc, #cab],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<6x10x8xf32>) outs(%e0 : tensor<8x6x10xf32>) {
  ^bb0(%v: f32, %out: f32):
    linalg.yield %v : f32
  } -> tensor<8x6x10xf32>
  %e1 = tensor.empty() : tensor<10x8x6xf32>
  %1 = linalg.transpose ins(%x : tensor<6x10x8xf32>) outs(%e1 : tensor<10x8x6xf32>)
      permutation = [1, 2, 0]
  return %0, %1 : tensor<8x6x10xf32>, tensor<10x8x6xf32>
}
