// Results that are wider than what they were computed in: by a sum, in a branch, behind a call. What is
// only widened, and computed in its own type, is held to that type's precision.
// RUN-CHECK: --grid 4,2x2,3 --seed 1
shard.grid @g(shape = 4x1)
func.func private @sum(%x: tensor<10x64xf32>) -> tensor<10xf64> {
  %zero = arith.constant dense<0.0> : tensor<10xf32>
  %r = linalg.reduce ins(%x : tensor<10x64xf32>) outs(%zero : tensor<10xf32>) dimensions = [1]
    (%v: f32, %acc: f32) {
      %t = arith.addf %v, %acc : f32
      linalg.yield %t : f32
    }
  %e = arith.extf %r : tensor<10xf32> to tensor<10xf64>
  return %e : tensor<10xf64>
}
func.func @main(%x_in: tensor<10x64xf32>) -> (tensor<10xf64>, tensor<10xf64>, tensor<10xf64>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x64xf32>
  %called = func.call @sum(%x) : (tensor<10x64xf32>) -> tensor<10xf64>
  %zero = arith.constant dense<0.0> : tensor<10xf32>
  %r = linalg.reduce ins(%x : tensor<10x64xf32>) outs(%zero : tensor<10xf32>) dimensions = [1]
    (%v: f32, %acc: f32) {
      %t = arith.addf %v, %acc : f32
      linalg.yield %t : f32
    }
  %two = arith.constant dense<2.0> : tensor<10xf64>
  %e = arith.extf %r : tensor<10xf32> to tensor<10xf64>
  %d = arith.mulf %e, %two : tensor<10xf64>
  %wide = arith.extf %x : tensor<10x64xf32> to tensor<10x64xf64>
  %zeros = arith.constant dense<0.0> : tensor<10xf64>
  %f = linalg.reduce ins(%wide : tensor<10x64xf64>) outs(%zeros : tensor<10xf64>) dimensions = [1]
    (%v: f64, %acc: f64) {
      %t = arith.addf %v, %acc : f64
      linalg.yield %t : f64
    }
  return %called, %d, %f : tensor<10xf64>, tensor<10xf64>, tensor<10xf64>
}
