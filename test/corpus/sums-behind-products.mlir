// What is added to a product right behind it: a bias, a residual, both in any order, of two and three
// dimensions, of what the product itself reads, in a loop whose product starts from the sum before; and
// what is more than that.
// RUN-CHECK: --entry rows --grid 1,2,3
// RUN-CHECK: --entry batches --grid 1,2,4
// RUN-CHECK: --entry layers --grid 1,2,3
// RUN-CHECK: --entry types --grid 1,2 --atol 0.05
// RUN-CHECK: --entry ends --grid 1,2,3
// RUN-CHECK: --entry more --grid 1,2
#m = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
#c = affine_map<(i, j) -> (j)>
#m3 = affine_map<(b, i, j) -> (b, i, j)>
#c3 = affine_map<(b, i, j) -> (j)>
shard.grid @g(shape = 2)
func.func @rows(%a: tensor<35x33xf32>, %w: tensor<33x48xf32>, %bias: tensor<48xf32>, %rest: tensor<35x48xf32>)
    -> (tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>, tensor<48x35xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<35x33xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<35x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<35x48xf32>) -> tensor<35x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y = linalg.generic {indexing_maps = [#m, #c, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias, %rest : tensor<35x48xf32>, tensor<48xf32>, tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %i2: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    %u = arith.addf %i2, %t : f32
    linalg.yield %u : f32
  } -> tensor<35x48xf32>
  %n = math.absf %x : tensor<35x33xf32>
  %q = linalg.matmul ins(%n, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %v = linalg.generic {indexing_maps = [#c, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%bias, %q : tensor<48xf32>, tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    linalg.yield %t : f32
  } -> tensor<35x48xf32>
  %l = math.tanh %x : tensor<35x33xf32>
  %h = linalg.matmul ins(%l, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %k = linalg.add ins(%rest, %h : tensor<35x48xf32>, tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) -> tensor<35x48xf32>
  // Behind the transpose of a product, the bias is along its rows.
  %e1 = tensor.empty() : tensor<48x35xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<48x35xf32>) -> tensor<48x35xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (j, i)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f1 : tensor<48x35xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.mulf %i0, %i1 : f32
    %u = arith.addf %o, %t : f32
    linalg.yield %u : f32
  } -> tensor<48x35xf32>
  %g = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%d, %bias : tensor<48x35xf32>, tensor<48xf32>) outs(%e1 : tensor<48x35xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    linalg.yield %t : f32
  } -> tensor<48x35xf32>
  return %y, %v, %k, %g : tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>, tensor<48x35xf32>
}

func.func @batches(%a: tensor<4x17x32xf32>, %w: tensor<32x40xf32>, %k: tensor<4x32x40xf32>, %bias: tensor<40xf32>,
    %rest: tensor<4x17x40xf32>) -> (tensor<4x17x40xf32>, tensor<4x17x40xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<4x17x32xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x17x40xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x17x40xf32>) -> tensor<4x17x40xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (k, j)>, affine_map<(b, i, j, k) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x17x32xf32>, tensor<32x40xf32>) outs(%f : tensor<4x17x40xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.mulf %i0, %i1 : f32
    %u = arith.addf %o, %t : f32
    linalg.yield %u : f32
  } -> tensor<4x17x40xf32>
  %y = linalg.generic {indexing_maps = [#m3, #m3, #c3, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%rest, %p, %bias : tensor<4x17x40xf32>, tensor<4x17x40xf32>, tensor<40xf32>) outs(%e : tensor<4x17x40xf32>) {
  ^bb0(%i0: f32, %i1: f32, %i2: f32, %o: f32):
    %t = arith.addf %i1, %i2 : f32
    %u = arith.addf %t, %i0 : f32
    linalg.yield %u : f32
  } -> tensor<4x17x40xf32>
  %q = linalg.batch_matmul ins(%x, %k : tensor<4x17x32xf32>, tensor<4x32x40xf32>) outs(%f : tensor<4x17x40xf32>) -> tensor<4x17x40xf32>
  %v = linalg.generic {indexing_maps = [#m3, #c3, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %bias : tensor<4x17x40xf32>, tensor<40xf32>) outs(%e : tensor<4x17x40xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    linalg.yield %t : f32
  } -> tensor<4x17x40xf32>
  return %y, %v : tensor<4x17x40xf32>, tensor<4x17x40xf32>
}

func.func @layers(%a: tensor<24x32xf32>, %w: tensor<32x32xf32>, %bias: tensor<32xf32>) -> tensor<24x32xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<24x32xf32>
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %x) -> tensor<24x32xf32> {
    %e = tensor.empty() : tensor<24x32xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<24x32xf32>) -> tensor<24x32xf32>
    %p = linalg.matmul ins(%u, %w : tensor<24x32xf32>, tensor<32x32xf32>) outs(%f : tensor<24x32xf32>) -> tensor<24x32xf32>
    %q = linalg.generic {indexing_maps = [#m, #c, #m, #m], iterator_types = ["parallel", "parallel"]}
        ins(%p, %bias, %u : tensor<24x32xf32>, tensor<32xf32>, tensor<24x32xf32>) outs(%e : tensor<24x32xf32>) {
    ^bb0(%i0: f32, %i1: f32, %i2: f32, %o: f32):
      %t = arith.addf %i0, %i1 : f32
      %v = arith.addf %t, %i2 : f32
      linalg.yield %v : f32
    } -> tensor<24x32xf32>
    scf.yield %q : tensor<24x32xf32>
  }
  return %y : tensor<24x32xf32>
}

func.func @types(%a: tensor<16x64xf64>, %w: tensor<64x32xf64>, %bias: tensor<32xf64>, %h: tensor<16x64xf16>,
    %v: tensor<64x32xf16>, %rest: tensor<16x32xf16>) -> (tensor<16x32xf64>, tensor<16x32xf16>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<16x64xf64>
  %y = shard.shard %h to %s : tensor<16x64xf16>
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<16x32xf64>
  %f = linalg.fill ins(%z : f64) outs(%e : tensor<16x32xf64>) -> tensor<16x32xf64>
  %p = linalg.matmul ins(%x, %w : tensor<16x64xf64>, tensor<64x32xf64>) outs(%f : tensor<16x32xf64>) -> tensor<16x32xf64>
  %q = linalg.generic {indexing_maps = [#m, #c, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<16x32xf64>, tensor<32xf64>) outs(%e : tensor<16x32xf64>) {
  ^bb0(%i0: f64, %i1: f64, %o: f64):
    %t = arith.addf %i0, %i1 : f64
    linalg.yield %t : f64
  } -> tensor<16x32xf64>
  %z1 = arith.constant 0.0 : f16
  %e1 = tensor.empty() : tensor<16x32xf16>
  %f1 = linalg.fill ins(%z1 : f16) outs(%e1 : tensor<16x32xf16>) -> tensor<16x32xf16>
  %p1 = linalg.matmul ins(%y, %v : tensor<16x64xf16>, tensor<64x32xf16>) outs(%f1 : tensor<16x32xf16>) -> tensor<16x32xf16>
  %q1 = linalg.add ins(%p1, %rest : tensor<16x32xf16>, tensor<16x32xf16>) outs(%e1 : tensor<16x32xf16>) -> tensor<16x32xf16>
  return %q, %q1 : tensor<16x32xf64>, tensor<16x32xf16>
}

func.func @more(%a: tensor<32x32xf32>, %w: tensor<32x32xf32>, %bias: tensor<32xf32>)
    -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %y = shard.shard %w to %s : tensor<32x32xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %p = linalg.matmul ins(%a, %y : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  // The product is read once more.
  %q = linalg.add ins(%p, %a : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  // Twice, with itself.
  %n = math.absf %a : tensor<32x32xf32>
  %p1 = linalg.matmul ins(%n, %y : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %q1 = linalg.add ins(%p1, %p1 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  // A bias of rows.
  %l = math.tanh %a : tensor<32x32xf32>
  %p2 = linalg.matmul ins(%l, %y : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %q2 = linalg.generic {indexing_maps = [#m, #r, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p2, %bias : tensor<32x32xf32>, tensor<32xf32>) outs(%e : tensor<32x32xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    linalg.yield %t : f32
  } -> tensor<32x32xf32>
  return %p, %q, %q1, %q2 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}

func.func @ends(%a: tensor<35x48xf32>, %w: tensor<48x48xf32>, %bias: tensor<48xf32>) -> (tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<35x48xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<35x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<35x48xf32>) -> tensor<35x48xf32>
  %r0 = math.sin %x : tensor<35x48xf32>
  %h0 = arith.mulf %r0, %x : tensor<35x48xf32>
  %p0 = linalg.matmul ins(%h0, %w : tensor<35x48xf32>, tensor<48x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y0 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%r0, %p0 : tensor<35x48xf32>, tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    linalg.yield %t : f32
  } -> tensor<35x48xf32>
  %r1 = math.cos %x : tensor<35x48xf32>
  %h1 = arith.mulf %r1, %x : tensor<35x48xf32>
  %p1 = linalg.matmul ins(%h1, %w : tensor<35x48xf32>, tensor<48x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y1 = linalg.generic {indexing_maps = [#m, #m, #c, #m], iterator_types = ["parallel", "parallel"]}
      ins(%r1, %p1, %bias : tensor<35x48xf32>, tensor<35x48xf32>, tensor<48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %i2: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    %u = arith.addf %t, %i2 : f32
    linalg.yield %u : f32
  } -> tensor<35x48xf32>
  %r2 = math.tanh %x : tensor<35x48xf32>
  %p2 = linalg.matmul ins(%r2, %w : tensor<35x48xf32>, tensor<48x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y2 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%r2, %p2 : tensor<35x48xf32>, tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %t = arith.addf %i0, %i1 : f32
    linalg.yield %t : f32
  } -> tensor<35x48xf32>
  return %y0, %y1, %y2 : tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>
}
