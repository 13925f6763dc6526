// A loop keeps of each trip what is completed there for another use, and a second one reads it.
// RUN-CHECK: --grid 1,2,4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x: tensor<7x5xf32>, %w_in: tensor<3x10x5xf32>, %a_in: tensor<7x10xf32>) -> tensor<7x5xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %w = shard.shard %w_in to %s : tensor<3x10x5xf32>
  %a = shard.shard %a_in to %s : tensor<7x10xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<3x7x5xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %x, %all = %zeros) -> (tensor<7x5xf32>, tensor<3x7x5xf32>) {
    %wi = tensor.extract_slice %w[%i, 0, 0] [1, 10, 5] [1, 1, 1] : tensor<3x10x5xf32> to tensor<10x5xf32>
    %e3 = tensor.empty() : tensor<7x5xf32>
    %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<7x5xf32>) -> tensor<7x5xf32>
    %p = linalg.matmul ins(%a, %wi : tensor<7x10xf32>, tensor<10x5xf32>) outs(%z3 : tensor<7x5xf32>) -> tensor<7x5xf32>
    %q = arith.addf %h, %p : tensor<7x5xf32>
    %next = math.tanh %q : tensor<7x5xf32>
    %one = tensor.expand_shape %q [[0, 1], [2]] output_shape [1, 7, 5] : tensor<7x5xf32> into tensor<1x7x5xf32>
    %kept = tensor.insert_slice %one into %all[%i, 0, 0] [1, 7, 5] [1, 1, 1] : tensor<1x7x5xf32> into tensor<3x7x5xf32>
    scf.yield %next, %kept : tensor<7x5xf32>, tensor<3x7x5xf32>
  }
  %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%g = %r#0) -> (tensor<7x5xf32>) {
    %one = tensor.extract_slice %r#1[%i, 0, 0] [1, 7, 5] [1, 1, 1] : tensor<3x7x5xf32> to tensor<7x5xf32>
    %e = math.exp %one : tensor<7x5xf32>
    %m = arith.mulf %g, %e : tensor<7x5xf32>
    scf.yield %m : tensor<7x5xf32>
  }
  return %t : tensor<7x5xf32>
}
