// Annotations that take their sharding from values without one: an argument, what propagation computes, a value that
// depends on such an annotation, one carried by a loop, a constant, and what would be partial.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
// RUN-CHECK: --grid 2x2 --seed 2
shard.grid @g(shape = 4x1)
func.func @main(%x_in: tensor<10x8xf32>, %w: tensor<8x12xf32>, %y: tensor<10x12xf32>,
                %z: tensor<12x10xf32>)
    -> (tensor<10x12xf32>, tensor<12x10xf32>, tensor<10x12xf32>, tensor<12x10xf32>, tensor<8x12xf32>) {
  %rows = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x12xf32>) -> tensor<10x12xf32>
  %p = linalg.matmul ins(%x, %w : tensor<10x8xf32>, tensor<8x12xf32>) outs(%f : tensor<10x12xf32>)
      -> tensor<10x12xf32>
  %q = shard.get_sharding %p : tensor<10x12xf32> -> !shard.sharding
  %ys = shard.shard %y to %q : tensor<10x12xf32>
  %a = arith.addf %ys, %p : tensor<10x12xf32>

  %te = tensor.empty() : tensor<12x10xf32>
  %t = linalg.transpose ins(%a : tensor<10x12xf32>) outs(%te : tensor<12x10xf32>) permutation = [1, 0]
  %qt = shard.get_sharding %t : tensor<12x10xf32> -> !shard.sharding
  %zs = shard.shard %z to %qt : tensor<12x10xf32>
  %b = arith.mulf %zs, %zs : tensor<12x10xf32>

  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c = scf.for %i = %c0 to %c3 step %c1 iter_args(%carried = %a) -> tensor<10x12xf32> {
    %qc = shard.get_sharding %carried : tensor<10x12xf32> -> !shard.sharding
    %sin = math.sin %carried : tensor<10x12xf32>
    %held = shard.shard %sin to %qc : tensor<10x12xf32>
    scf.yield %held : tensor<10x12xf32>
  }

  %k = arith.constant dense<2.0> : tensor<12x10xf32>
  %qk = shard.get_sharding %k : tensor<12x10xf32> -> !shard.sharding
  %bk = shard.shard %b to %qk annotate_for_users : tensor<12x10xf32>
  %d = arith.addf %bk, %k : tensor<12x10xf32>

  %qw = shard.get_sharding %w : tensor<8x12xf32> -> !shard.sharding
  %v = arith.addf %w, %w : tensor<8x12xf32>
  %vs = shard.shard %v to %qw : tensor<8x12xf32>
  return %a, %b, %c, %d, %vs
      : tensor<10x12xf32>, tensor<12x10xf32>, tensor<10x12xf32>, tensor<12x10xf32>, tensor<8x12xf32>
}
