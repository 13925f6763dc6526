// Merging and splitting dimensions regroups factors, uneven ones as well.
// REQUIRES: tessera-check
// RUN: %tessera_check %s --seed 1 --grid 1,2,3,4,2x2,2x3,4x2 | FileCheck %s

// CHECK-COUNT-7: results agree

shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<3x8x5xf32>) -> (tensor<24x5xf32>, tensor<3x2x4x5xf32>, tensor<3x8x5xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<3x8x5xf32>
  %m = tensor.collapse_shape %x [[0, 1], [2]] : tensor<3x8x5xf32> into tensor<24x5xf32>
  %a = math.absf %m : tensor<24x5xf32>
  %e = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [3, 2, 4, 5] : tensor<3x8x5xf32> into tensor<3x2x4x5xf32>
  %b = math.absf %e : tensor<3x2x4x5xf32>
  %r = tensor.expand_shape %a [[0, 1], [2]] output_shape [3, 8, 5] : tensor<24x5xf32> into tensor<3x8x5xf32>
  return %a, %b, %r : tensor<24x5xf32>, tensor<3x2x4x5xf32>, tensor<3x8x5xf32>
}
