// Sums and maxima that a loop carries partial, from zero and from a given start, and used after it by
// what is linear and by what is not.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<3x10x6xf32>, %w: tensor<6x6xf32>, %start: tensor<6xf32>)
    -> (tensor<6x6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<3x10x6xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<6x6xf32>
  %none = arith.constant dense<0.0> : tensor<6xf32>
  %low = arith.constant dense<0xFF800000> : tensor<6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zeros, %sum = %start, %max = %start)
      -> (tensor<6x6xf32>, tensor<6xf32>, tensor<6xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 10, 6] [1, 1, 1] : tensor<3x10x6xf32> to tensor<10x6xf32>
    %e = tensor.empty() : tensor<6x10xf32>
    %t = linalg.transpose ins(%a : tensor<10x6xf32>) outs(%e : tensor<6x10xf32>) permutation = [1, 0]
    %e2 = tensor.empty() : tensor<6x6xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e2 : tensor<6x6xf32>) -> tensor<6x6xf32>
    %g = linalg.matmul ins(%t, %a : tensor<6x10xf32>, tensor<10x6xf32>) outs(%z : tensor<6x6xf32>) -> tensor<6x6xf32>
    %next = arith.addf %acc, %g : tensor<6x6xf32>
    %p = linalg.reduce { arith.addf } ins(%a : tensor<10x6xf32>) outs(%none : tensor<6xf32>) dimensions = [0]
    %half = arith.constant dense<0.5> : tensor<6xf32>
    %scaled = arith.mulf %sum, %half : tensor<6xf32>
    %more = arith.subf %scaled, %p : tensor<6xf32>
    %m = linalg.reduce { arith.maximumf } ins(%a : tensor<10x6xf32>) outs(%low : tensor<6xf32>) dimensions = [0]
    %larger = arith.maximumf %max, %m : tensor<6xf32>
    scf.yield %next, %more, %larger : tensor<6x6xf32>, tensor<6xf32>, tensor<6xf32>
  }
  %0 = arith.subf %w, %r#0 : tensor<6x6xf32>
  %1 = math.tanh %r#1 : tensor<6xf32>
  return %0, %1, %r#2 : tensor<6x6xf32>, tensor<6xf32>, tensor<6xf32>
}
