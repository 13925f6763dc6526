// Products that are read in another order than they are spelt: transposed, with heads between rows and columns,
// split and transposed, by an elementwise op, by a sum, of a mixed batch; and cheap values on both sides of them.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
// RUN-CHECK: --grid 2x2 --seed 2
#b0 = affine_map<(b, h, d, q, k) -> (b, k, h, d)>
#b1 = affine_map<(b, h, d, q, k) -> (b, h, q, k)>
#b2 = affine_map<(b, h, d, q, k) -> (b, h, d, q)>
shard.grid @g(shape = 4x1)
func.func @main(%a_in: tensor<14x36xf32>, %w: tensor<36x24xf32>, %bias: tensor<24xf32>,
                %p_in: tensor<4x3x10x12xf64>, %v: tensor<4x12x3x8xf64>, %u: tensor<24x24xf32>)
    -> (tensor<24x14xf32>, tensor<4x10x3x8xf64>, tensor<6x4x14xf32>, tensor<24xf32>, tensor<14x24xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %rows : tensor<14x36xf32>
  %batch = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %p = shard.shard %p_in to %batch : tensor<4x3x10x12xf64>
  %zero = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<14x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<14x24xf32>) -> tensor<14x24xf32>
  %te = tensor.empty() : tensor<24x14xf32>

  // A transpose alone.
  %m0 = linalg.matmul ins(%a, %w : tensor<14x36xf32>, tensor<36x24xf32>)
      outs(%f : tensor<14x24xf32>) -> tensor<14x24xf32>
  %t0 = linalg.transpose ins(%m0 : tensor<14x24xf32>) outs(%te : tensor<24x14xf32>) permutation = [1, 0]
  %r0 = linalg.exp ins(%t0 : tensor<24x14xf32>) outs(%te : tensor<24x14xf32>) -> tensor<24x14xf32>

  // Heads.
  %he = tensor.empty() : tensor<4x3x8x10xf64>
  %hf = linalg.fill ins(%zero64 : f64) outs(%he : tensor<4x3x8x10xf64>) -> tensor<4x3x8x10xf64>
  %m1 = linalg.contract indexing_maps = [#b0, #b1, #b2]
      ins(%v, %p : tensor<4x12x3x8xf64>, tensor<4x3x10x12xf64>) outs(%hf : tensor<4x3x8x10xf64>) -> tensor<4x3x8x10xf64>
  %re = tensor.empty() : tensor<4x10x3x8xf64>
  %r1 = linalg.transpose ins(%m1 : tensor<4x3x8x10xf64>) outs(%re : tensor<4x10x3x8xf64>) permutation = [0, 3, 1, 2]

  // Split, and read in another order by an elementwise op.
  %two = arith.constant dense<2.0> : tensor<6x4x14xf32>
  %a2 = linalg.add ins(%a, %a : tensor<14x36xf32>, tensor<14x36xf32>) outs(%a : tensor<14x36xf32>) -> tensor<14x36xf32>
  %m2 = linalg.matmul ins(%a2, %w : tensor<14x36xf32>, tensor<36x24xf32>)
      outs(%f : tensor<14x24xf32>) -> tensor<14x24xf32>
  %s2 = tensor.expand_shape %m2 [[0], [1, 2]] output_shape [14, 6, 4] : tensor<14x24xf32> into tensor<14x6x4xf32>
  %e2 = tensor.empty() : tensor<6x4x14xf32>
  %t2 = linalg.transpose ins(%s2 : tensor<14x6x4xf32>) outs(%e2 : tensor<6x4x14xf32>) permutation = [1, 2, 0]
  %r2 = linalg.mul ins(%t2, %two : tensor<6x4x14xf32>, tensor<6x4x14xf32>) outs(%e2 : tensor<6x4x14xf32>) -> tensor<6x4x14xf32>

  // Its columns summed up.
  %a3 = linalg.mul ins(%a, %a : tensor<14x36xf32>, tensor<14x36xf32>) outs(%a : tensor<14x36xf32>) -> tensor<14x36xf32>
  %m3 = linalg.matmul ins(%a3, %w : tensor<14x36xf32>, tensor<36x24xf32>)
      outs(%f : tensor<14x24xf32>) -> tensor<14x24xf32>
  %ce = tensor.empty() : tensor<24xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<24xf32>) -> tensor<24xf32>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>],
                        iterator_types = ["parallel", "reduction"]}
      ins(%m3 : tensor<14x24xf32>) outs(%cf : tensor<24xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %1 = arith.addf %acc, %x : f32
    linalg.yield %1 : f32
  } -> tensor<24xf32>

  // An activation whose bias and square the other side of a product computes again, from an operand that others
  // take over in place.
  %m4 = linalg.matmul ins(%a, %w : tensor<14x36xf32>, tensor<36x24xf32>)
      outs(%f : tensor<14x24xf32>) -> tensor<14x24xf32>
  %wide = linalg.broadcast ins(%bias : tensor<24xf32>) outs(%e : tensor<14x24xf32>) dimensions = [0]
  %x4 = linalg.add ins(%m4, %wide : tensor<14x24xf32>, tensor<14x24xf32>) outs(%e : tensor<14x24xf32>) -> tensor<14x24xf32>
  %q4 = linalg.mul ins(%x4, %x4 : tensor<14x24xf32>, tensor<14x24xf32>) outs(%e : tensor<14x24xf32>) -> tensor<14x24xf32>
  %y4 = linalg.tanh ins(%q4 : tensor<14x24xf32>) outs(%e : tensor<14x24xf32>) -> tensor<14x24xf32>
  %m5 = linalg.matmul ins(%y4, %u : tensor<14x24xf32>, tensor<24x24xf32>)
      outs(%f : tensor<14x24xf32>) -> tensor<14x24xf32>
  %z5 = linalg.mul ins(%m5, %q4 : tensor<14x24xf32>, tensor<14x24xf32>) outs(%e : tensor<14x24xf32>) -> tensor<14x24xf32>
  %w5 = linalg.sub ins(%z5, %x4 : tensor<14x24xf32>, tensor<14x24xf32>) outs(%e : tensor<14x24xf32>) -> tensor<14x24xf32>
  %m6 = linalg.matmul ins(%w5, %u : tensor<14x24xf32>, tensor<24x24xf32>)
      outs(%f : tensor<14x24xf32>) -> tensor<14x24xf32>
  %r4 = linalg.add ins(%m6, %x4 : tensor<14x24xf32>, tensor<14x24xf32>) outs(%e : tensor<14x24xf32>) -> tensor<14x24xf32>
  return %r0, %r1, %r2, %r3, %r4
      : tensor<24x14xf32>, tensor<4x10x3x8xf64>, tensor<6x4x14xf32>, tensor<24xf32>, tensor<14x24xf32>
}
