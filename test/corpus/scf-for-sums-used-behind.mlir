// What becomes of sums of loops behind them: a step of split weights, a use that needs the sum whole
// beside one that does not, the sum returned as its weight lies.
// RUN-CHECK: --grid 4,3,2 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<3x10x8xf32>, %w_in: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %middle = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %middle : tensor<3x10x8xf32>
  %w = shard.shard %w_in to %rows : tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zeros, %acc2 = %w, %acc3 = %zeros)
      -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 10, 8] [1, 1, 1] : tensor<3x10x8xf32> to tensor<10x8xf32>
    %e = tensor.empty() : tensor<10x8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<10x8xf32>) -> tensor<10x8xf32>
    %y = linalg.matmul ins(%a, %w : tensor<10x8xf32>, tensor<8x8xf32>) outs(%z : tensor<10x8xf32>) -> tensor<10x8xf32>
    %h = math.tanh %y : tensor<10x8xf32>
    %et = tensor.empty() : tensor<8x10xf32>
    %t = linalg.transpose ins(%a : tensor<10x8xf32>) outs(%et : tensor<8x10xf32>) permutation = [1, 0]
    %eg = tensor.empty() : tensor<8x8xf32>
    %zg = linalg.fill ins(%zero : f32) outs(%eg : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = linalg.matmul ins(%t, %h : tensor<8x10xf32>, tensor<10x8xf32>) outs(%zg : tensor<8x8xf32>) -> tensor<8x8xf32>
    %next = arith.addf %acc, %g : tensor<8x8xf32>
    %next2 = arith.addf %g, %acc2 : tensor<8x8xf32>
    %next3 = arith.subf %acc3, %g : tensor<8x8xf32>
    scf.yield %next, %next2, %next3 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %scaled = arith.mulf %r#0, %half : tensor<8x8xf32>
  %0 = arith.subf %w, %scaled : tensor<8x8xf32>
  %squares = arith.mulf %r#1, %r#1 : tensor<8x8xf32>
  %1 = arith.subf %squares, %r#1 : tensor<8x8xf32>
  return %0, %1, %r#2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
