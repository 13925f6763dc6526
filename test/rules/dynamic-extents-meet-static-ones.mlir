// A loop may have an extent that one type knows and another does not, or nobody before the launch.
// REQUIRES: tessera-check
// RUN: %tessera_check %s --seed 1 --grid 1,2,2x2 --shape 0=8x5 --shape 1=5x6 --range 2=4:5 | FileCheck %s

// CHECK-COUNT-3: results agree

shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<8x?xf32>, %b: tensor<?x6xf32>, %n: index) -> (tensor<8x6xf32>, tensor<8x?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<8x?xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x?xf32>, tensor<?x6xf32>) outs(%f : tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = arith.addf %a, %a : tensor<8x?xf32>
  %2 = tensor.cast %1 : tensor<8x?xf32> to tensor<?x?xf32>
  %3 = math.exp %2 : tensor<?x?xf32>
  %t = tensor.splat %z[%n] : tensor<?xf32>
  return %0, %1, %3, %t : tensor<8x6xf32>, tensor<8x?xf32>, tensor<?x?xf32>, tensor<?xf32>
}
