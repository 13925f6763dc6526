// What a loop gives is annotated whole behind it, and its argument by rows: it is carried by rows. One loop has
// another result, which stays split.
// RUN-CHECK: --grid 1,2,4,5 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<12x6xf32>, %w: tensor<6x6xf32>) -> (tensor<12x6xf32>, tensor<12x6xf32>, tensor<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<12x6xf32>
  %empty = tensor.empty() : tensor<12x6xf32>
  %sum_empty = tensor.empty() : tensor<6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%sum_empty : tensor<6xf32>) -> tensor<6xf32>
  %y:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %x, %s = %init) -> (tensor<12x6xf32>, tensor<12x6xf32>, tensor<6xf32>) {
    %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x6xf32>) -> tensor<12x6xf32>
    %p = linalg.matmul ins(%a, %w : tensor<12x6xf32>, tensor<6x6xf32>) outs(%fill : tensor<12x6xf32>) -> tensor<12x6xf32>
    %t = math.tanh %p : tensor<12x6xf32>
    %u = arith.addf %b, %t : tensor<12x6xf32>
    %r = linalg.reduce { arith.addf } ins(%t : tensor<12x6xf32>) outs(%s : tensor<6xf32>) dimensions = [0]
    scf.yield %t, %u, %r : tensor<12x6xf32>, tensor<12x6xf32>, tensor<6xf32>
  }
  %r0 = shard.shard %y#0 to %whole : tensor<12x6xf32>
  %r2 = shard.shard %y#2 to %whole : tensor<6xf32>
  return %r0, %y#1, %r2 : tensor<12x6xf32>, tensor<12x6xf32>, tensor<6xf32>
}
