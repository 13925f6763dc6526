// What loops add up, annotated behind them: partial in the loop and cut once after it, split in the loop
// where nothing is partial, and sums that somebody looks at on the way.
// RUN-CHECK: --grid 4,3,2 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<3x10x6xf32>, %y: tensor<3x7x6xf32>, %start: tensor<7x6xf32>)
    -> (tensor<6x6xf32>, tensor<7x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) {
  %middle = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %middle : tensor<3x10x6xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<6x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e2 = tensor.empty() : tensor<6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<6x6xf32>) -> tensor<6x6xf32>
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zeros, %sum = %start, %seen = %zeros)
      -> (tensor<6x6xf32>, tensor<7x6xf32>, tensor<6x6xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 10, 6] [1, 1, 1] : tensor<3x10x6xf32> to tensor<10x6xf32>
    %e = tensor.empty() : tensor<6x10xf32>
    %t = linalg.transpose ins(%a : tensor<10x6xf32>) outs(%e : tensor<6x10xf32>) permutation = [1, 0]
    %g = linalg.matmul ins(%t, %a : tensor<6x10xf32>, tensor<10x6xf32>) outs(%z : tensor<6x6xf32>) -> tensor<6x6xf32>
    %next = arith.addf %acc, %g : tensor<6x6xf32>
    %b = tensor.extract_slice %y[%i, 0, 0] [1, 7, 6] [1, 1, 1] : tensor<3x7x6xf32> to tensor<7x6xf32>
    %tb = math.tanh %b : tensor<7x6xf32>
    %more = arith.addf %tb, %sum : tensor<7x6xf32>
    %u = math.tanh %seen : tensor<6x6xf32>
    %ug = arith.addf %u, %g : tensor<6x6xf32>
    %after = arith.addf %seen, %ug : tensor<6x6xf32>
    scf.yield %next, %more, %after : tensor<6x6xf32>, tensor<7x6xf32>, tensor<6x6xf32>
  }
  %0 = shard.shard %r#0 to %rows : tensor<6x6xf32>
  %1 = shard.shard %r#1 to %rows : tensor<7x6xf32>
  %2 = shard.shard %r#2 to %rows : tensor<6x6xf32>
  %3 = math.tanh %0 : tensor<6x6xf32>
  return %0, %1, %2, %3 : tensor<6x6xf32>, tensor<7x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>
}
