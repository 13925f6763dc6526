// A loop over microbatches that are split sums a loss, a gradient and a maximum: each device sums those of its own,
// and sums are completed once, behind the loop. They start from numbers that count once.
// RUN-CHECK: --grid 1x2,2x1,2x2,4x2 --seed 5
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<5x4x8xf32>, %w: tensor<8x6xf32>, %l0: tensor<f32>, %g0: tensor<8x6xf32>, %m0: tensor<6xf32>)
    -> (tensor<f32>, tensor<8x6xf32>, tensor<6xf32>) {
  %batches = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %batches : tensor<5x4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %r:3 = scf.for %i = %c0 to %c5 step %c1 iter_args(%l = %l0, %g = %g0, %m = %m0)
      -> (tensor<f32>, tensor<8x6xf32>, tensor<6xf32>) {
    %b = tensor.extract_slice %x[%i, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<5x4x8xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x6xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
    %y = linalg.matmul ins(%b, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%z : tensor<4x6xf32>) -> tensor<4x6xf32>
    %t = math.tanh %y : tensor<4x6xf32>
    %se = tensor.empty() : tensor<f32>
    %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<f32>) -> tensor<f32>
    %loss = linalg.reduce ins(%t : tensor<4x6xf32>) outs(%sz : tensor<f32>) dimensions = [0, 1]
      (%in: f32, %out: f32) {
        %s = arith.addf %in, %out : f32
        linalg.yield %s : f32
      }
    %l1 = arith.addf %l, %loss : tensor<f32>
    %te = tensor.empty() : tensor<8x4xf32>
    %bt = linalg.transpose ins(%b : tensor<4x8xf32>) outs(%te : tensor<8x4xf32>) permutation = [1, 0]
    %g1 = linalg.matmul ins(%bt, %t : tensor<8x4xf32>, tensor<4x6xf32>) outs(%g : tensor<8x6xf32>) -> tensor<8x6xf32>
    %m1 = linalg.reduce ins(%t : tensor<4x6xf32>) outs(%m : tensor<6xf32>) dimensions = [0]
      (%in: f32, %out: f32) {
        %s = arith.maximumf %in, %out : f32
        linalg.yield %s : f32
      }
    scf.yield %l1, %g1, %m1 : tensor<f32>, tensor<8x6xf32>, tensor<6xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<f32>, tensor<8x6xf32>, tensor<6xf32>
}
