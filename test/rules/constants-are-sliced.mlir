// Each device has its piece of a constant, whatever its form and element type.
// REQUIRES: tessera-check
// RUN: %tessera_check %s --seed 1 --grid 1,2,3,4,2x2,2x3,4x2 | FileCheck %s

// CHECK-COUNT-7: results agree

shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x7xf32>, %y_in: tensor<4x6xcomplex<f32>>) -> (tensor<10x7xf32>, tensor<10x7xf32>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x7xf32>
  %y = shard.shard %y_in to %s : tensor<4x6xcomplex<f32>>
  %c = arith.constant dense_resource<blob> : tensor<10x7xf32>
  %splat = arith.constant dense<2.5> : tensor<10x7xf32>
  %0 = arith.addf %x, %c : tensor<10x7xf32>
  %1 = arith.mulf %0, %splat : tensor<10x7xf32>
  %e0 = tensor.empty() : tensor<4x6xcomplex<f32>>
  %z = arith.constant dense<(1.0, 2.0)> : tensor<4x6xcomplex<f32>>
  %2 = linalg.add ins(%y, %z : tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) outs(%e0 : tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  %k = complex.constant [1.0 : f32, -2.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<4x6xcomplex<f32>>
  %f = linalg.fill ins(%k : complex<f32>) outs(%e : tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  %3 = linalg.mul ins(%y, %f : tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) outs(%e0 : tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<10x7xf32>, tensor<10x7xf32>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x04000000000000000000003f0000803f0000c03f0000004000002040000040400000604000008040000090400000a0400000b0400000c0400000d0400000e0400000f0400000004100000841000010410000184100002041000028410000304100003841000040410000484100005041000058410000604100006841000070410000784100008041000084410000884100008c4100009041000094410000984100009c410000a0410000a4410000a8410000ac410000b0410000b4410000b8410000bc410000c0410000c4410000c8410000cc410000d0410000d4410000d8410000dc410000e0410000e4410000e8410000ec410000f0410000f4410000f8410000fc41000000420000024200000442000006420000084200000a42"
    }
  }
#-}
