// Extents of 1 are read by every shard; shifts and zero points stay whole.
// REQUIRES: tessera-check
// RUN: %tessera_check %s --seed 1 --grid 1,2,3,4,2x2,2x3,4x2 | FileCheck %s

// CHECK-COUNT-7: results agree

shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x7xf32>, %b: tensor<10x1xf32>, %c: tensor<1x7xf32>) -> (tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x7xf32>
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %k = "tosa.const"() <{values = dense<3.0> : tensor<10x7xf32>}> : () -> tensor<10x7xf32>
  %0 = tosa.sigmoid %x : (tensor<10x7xf32>) -> tensor<10x7xf32>
  %1 = tosa.add %0, %b : (tensor<10x7xf32>, tensor<10x1xf32>) -> tensor<10x7xf32>
  %2 = tosa.mul %b, %c, %shift : (tensor<10x1xf32>, tensor<1x7xf32>, tensor<1xi8>) -> tensor<10x7xf32>
  %3 = tosa.negate %1, %zp, %zp : (tensor<10x7xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<10x7xf32>
  %4 = tosa.greater %x, %c : (tensor<10x7xf32>, tensor<1x7xf32>) -> tensor<10x7xi1>
  %5 = tosa.select %4, %3, %k : (tensor<10x7xi1>, tensor<10x7xf32>, tensor<10x7xf32>) -> tensor<10x7xf32>
  return %1, %2, %5 : tensor<10x7xf32>, tensor<10x7xf32>, tensor<10x7xf32>
}
