// A loop adds products to what it carries, as their initial values.
// RUN-CHECK: --grid 2,3,4
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<3x9x7xf32>, %g_in: tensor<3x9x5xf32>, %w_in: tensor<7x5xf32>) -> (tensor<7x5xf32>, tensor<7xf32>) {
  %rows = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %first = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<3x9x7xf32>
  %g = shard.shard %g_in to %rows : tensor<3x9x5xf32>
  %w = shard.shard %w_in to %first : tensor<7x5xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant dense<0.0> : tensor<7x5xf32>
  %y = arith.constant dense<1.5> : tensor<7xf32>
  %e = tensor.empty() : tensor<7x9xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %z, %b = %y) -> (tensor<7x5xf32>, tensor<7xf32>) {
    %xi = tensor.extract_slice %x[%i, 0, 0] [1, 9, 7] [1, 1, 1] : tensor<3x9x7xf32> to tensor<9x7xf32>
    %gi = tensor.extract_slice %g[%i, 0, 0] [1, 9, 5] [1, 1, 1] : tensor<3x9x5xf32> to tensor<9x5xf32>
    %t = linalg.transpose ins(%xi : tensor<9x7xf32>) outs(%e : tensor<7x9xf32>) permutation = [1, 0]
    %n = linalg.matmul ins(%t, %gi : tensor<7x9xf32>, tensor<9x5xf32>) outs(%a : tensor<7x5xf32>) -> tensor<7x5xf32>
    %s = linalg.reduce ins(%xi : tensor<9x7xf32>) outs(%b : tensor<7xf32>) dimensions = [0]
      (%in: f32, %out: f32) {
        %sum = arith.addf %in, %out : f32
        linalg.yield %sum : f32
      }
    scf.yield %n, %s : tensor<7x5xf32>, tensor<7xf32>
  }
  %u = arith.subf %w, %r#0 : tensor<7x5xf32>
  return %u, %r#1 : tensor<7x5xf32>, tensor<7xf32>
}
