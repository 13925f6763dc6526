// Activations of what comes out of a product: relu and gelu in the spellings that frameworks have, alone, behind
// a bias, a residual and both, in f32 and in 16 bits, through reshapes; and what is nearly one.
// RUN-CHECK: --entry relus --grid 1,2,3
// RUN-CHECK: --entry gelus --grid 1,2,3
// RUN-CHECK: --entry halves --grid 1,2 --atol 0.05
// RUN-CHECK: --entry reshaped --grid 1,2
// RUN-CHECK: --entry others --grid 1,2
#m = affine_map<(i, j) -> (i, j)>
#c = affine_map<(i, j) -> (j)>
#m3 = affine_map<(b, i, j) -> (b, i, j)>
#c3 = affine_map<(b, i, j) -> (j)>
shard.grid @g(shape = 2)
func.func @relus(%a: tensor<35x33xf32>, %w: tensor<33x48xf32>, %bias: tensor<48xf32>, %rest: tensor<35x48xf32>)
    -> (tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<35x33xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<35x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<35x48xf32>) -> tensor<35x48xf32>
  %p0 = linalg.matmul ins(%x, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y0 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p0 : tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i: f32, %o: f32):
    %t = arith.maximumf %i, %z : f32
    linalg.yield %t : f32
  } -> tensor<35x48xf32>
  %x1 = math.absf %x : tensor<35x33xf32>
  %p1 = linalg.matmul ins(%x1, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y1 = linalg.generic {indexing_maps = [#m, #c, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p1, %bias : tensor<35x48xf32>, tensor<48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %t = arith.addf %i, %j : f32
    %u = arith.cmpf ugt, %t, %z : f32
    %v = arith.select %u, %t, %z : f32
    linalg.yield %v : f32
  } -> tensor<35x48xf32>
  %x2 = math.tanh %x : tensor<35x33xf32>
  %p2 = linalg.matmul ins(%x2, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y2 = linalg.generic {indexing_maps = [#m, #c, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p2, %bias, %rest : tensor<35x48xf32>, tensor<48xf32>, tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %t = arith.addf %i, %j : f32
    %r = arith.addf %k, %t : f32
    %u = arith.cmpf ogt, %z, %r : f32
    %v = arith.select %u, %z, %r : f32
    linalg.yield %v : f32
  } -> tensor<35x48xf32>
  return %y0, %y1, %y2 : tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>
}

func.func @gelus(%a: tensor<35x33xf32>, %w: tensor<33x48xf32>, %bias: tensor<48xf32>, %rest: tensor<35x48xf32>)
    -> (tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<35x33xf32>
  %z = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3 : i64
  %scale = arith.constant 0.797884583 : f32
  %cubic = arith.constant 4.471500e-02 : f32
  %both = arith.constant 0.0356774081 : f32
  %e = tensor.empty() : tensor<35x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<35x48xf32>) -> tensor<35x48xf32>
  %p0 = linalg.matmul ins(%x, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y0 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p0 : tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = math.fpowi %i, %three : f32, i64
    %t = arith.mulf %q, %cubic : f32
    %u = arith.addf %i, %t : f32
    %v = arith.mulf %u, %scale : f32
    %h = math.tanh %v : f32
    %k = arith.addf %h, %one : f32
    %l = arith.mulf %k, %half : f32
    %r = arith.mulf %i, %l : f32
    linalg.yield %r : f32
  } -> tensor<35x48xf32>
  %x1 = math.absf %x : tensor<35x33xf32>
  %p1 = linalg.matmul ins(%x1, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y1 = linalg.generic {indexing_maps = [#m, #c, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p1, %bias : tensor<35x48xf32>, tensor<48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %b = arith.addf %i, %j : f32
    %q = arith.mulf %b, %b : f32
    %t = arith.mulf %q, %both : f32
    %u = arith.addf %t, %scale : f32
    %v = arith.mulf %b, %u : f32
    %h = math.tanh %v : f32
    %k = arith.mulf %b, %half : f32
    %l = arith.mulf %k, %h : f32
    %r = arith.addf %l, %k : f32
    linalg.yield %r : f32
  } -> tensor<35x48xf32>
  %x2 = math.tanh %x : tensor<35x33xf32>
  %p2 = linalg.matmul ins(%x2, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y2 = linalg.generic {indexing_maps = [#m, #c, #m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p2, %bias, %rest : tensor<35x48xf32>, tensor<48xf32>, tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %c = arith.addf %i, %j : f32
    %b = arith.addf %c, %k : f32
    %n = arith.negf %b : f32
    %q = arith.mulf %n, %scale : f32
    %t = arith.mulf %b, %b : f32
    %u = math.fma %t, %cubic, %one : f32
    %v = arith.mulf %q, %u : f32
    %h = math.tanh %v : f32
    %l = arith.subf %one, %h : f32
    %d = arith.mulf %b, %l : f32
    %r = arith.mulf %half, %d : f32
    linalg.yield %r : f32
  } -> tensor<35x48xf32>
  return %y0, %y1, %y2 : tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>
}

func.func @halves(%a: tensor<35x33xbf16>, %w: tensor<33x48xbf16>, %bias: tensor<48xbf16>, %b: tensor<35x33xf16>, %v: tensor<33x48xf16>)
    -> (tensor<35x48xbf16>, tensor<35x48xbf16>, tensor<35x48xf16>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<35x33xbf16>
  %z = arith.constant 0.0 : bf16
  %z16 = arith.constant 0.0 : f16
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.797884583 : f32
  %cubic = arith.constant 4.471500e-02 : f32
  %half_b = arith.constant 0.5 : bf16
  %one_b = arith.constant 1.0 : bf16
  %scale_b = arith.constant 0.797884583 : bf16
  %cubic_b = arith.constant 4.471500e-02 : bf16
  %e = tensor.empty() : tensor<35x48xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<35x48xbf16>) -> tensor<35x48xbf16>
  %p0 = linalg.matmul ins(%x, %w : tensor<35x33xbf16>, tensor<33x48xbf16>) outs(%f : tensor<35x48xbf16>) -> tensor<35x48xbf16>
  %y0 = linalg.generic {indexing_maps = [#m, #c, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p0, %bias : tensor<35x48xbf16>, tensor<48xbf16>) outs(%e : tensor<35x48xbf16>) {
  ^bb0(%i: bf16, %j: bf16, %o: bf16):
    %n = arith.addf %i, %j : bf16
    %b0 = arith.extf %n : bf16 to f32
    %q = arith.mulf %b0, %b0 : f32
    %q1 = arith.mulf %q, %b0 : f32
    %t = arith.mulf %q1, %cubic : f32
    %u = arith.addf %b0, %t : f32
    %v0 = arith.mulf %u, %scale : f32
    %h = math.tanh %v0 : f32
    %k = arith.addf %h, %one : f32
    %l = arith.mulf %b0, %half : f32
    %r = arith.mulf %l, %k : f32
    %y = arith.truncf %r : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<35x48xbf16>
  %x1 = math.absf %x : tensor<35x33xbf16>
  %p1 = linalg.matmul ins(%x1, %w : tensor<35x33xbf16>, tensor<33x48xbf16>) outs(%f : tensor<35x48xbf16>) -> tensor<35x48xbf16>
  %y1 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p1 : tensor<35x48xbf16>) outs(%e : tensor<35x48xbf16>) {
  ^bb0(%i: bf16, %o: bf16):
    %q = arith.mulf %i, %i : bf16
    %q1 = arith.mulf %q, %i : bf16
    %t = arith.mulf %q1, %cubic_b : bf16
    %u = arith.addf %i, %t : bf16
    %v0 = arith.mulf %u, %scale_b : bf16
    %h = math.tanh %v0 : bf16
    %k = arith.addf %h, %one_b : bf16
    %l = arith.mulf %k, %half_b : bf16
    %r = arith.mulf %l, %i : bf16
    linalg.yield %r : bf16
  } -> tensor<35x48xbf16>
  %e16 = tensor.empty() : tensor<35x48xf16>
  %f16 = linalg.fill ins(%z16 : f16) outs(%e16 : tensor<35x48xf16>) -> tensor<35x48xf16>
  %p2 = linalg.matmul ins(%b, %v : tensor<35x33xf16>, tensor<33x48xf16>) outs(%f16 : tensor<35x48xf16>) -> tensor<35x48xf16>
  %y2 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p2 : tensor<35x48xf16>) outs(%e16 : tensor<35x48xf16>) {
  ^bb0(%i: f16, %o: f16):
    %t = arith.maxnumf %z16, %i : f16
    linalg.yield %t : f16
  } -> tensor<35x48xf16>
  return %y0, %y1, %y2 : tensor<35x48xbf16>, tensor<35x48xbf16>, tensor<35x48xf16>
}

func.func @reshaped(%a: tensor<4x10x33xf32>, %w: tensor<33x48xf32>, %bias: tensor<48xf32>, %rest: tensor<4x10x48xf32>)
    -> (tensor<4x10x48xf32>, tensor<4x10x48xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<4x10x33xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x10x33xf32> into tensor<40x33xf32>
  %p = linalg.matmul ins(%flat, %w : tensor<40x33xf32>, tensor<33x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %p3 = tensor.expand_shape %p [[0, 1], [2]] output_shape [4, 10, 48] : tensor<40x48xf32> into tensor<4x10x48xf32>
  %e3 = tensor.empty() : tensor<4x10x48xf32>
  %y = linalg.generic {indexing_maps = [#m3, #c3, #m3, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p3, %bias, %rest : tensor<4x10x48xf32>, tensor<48xf32>, tensor<4x10x48xf32>) outs(%e3 : tensor<4x10x48xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %t = arith.addf %i, %j : f32
    %u = arith.addf %t, %k : f32
    %v = arith.maximumf %u, %z : f32
    linalg.yield %v : f32
  } -> tensor<4x10x48xf32>
  %x1 = math.absf %flat : tensor<40x33xf32>
  %q = linalg.matmul ins(%x1, %w : tensor<40x33xf32>, tensor<33x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %q3 = tensor.expand_shape %q [[0, 1], [2]] output_shape [4, 10, 48] : tensor<40x48xf32> into tensor<4x10x48xf32>
  %r = linalg.generic {indexing_maps = [#m3, #c3, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q3, %bias : tensor<4x10x48xf32>, tensor<48xf32>) outs(%e3 : tensor<4x10x48xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %t = arith.addf %i, %j : f32
    linalg.yield %t : f32
  } -> tensor<4x10x48xf32>
  return %y, %r : tensor<4x10x48xf32>, tensor<4x10x48xf32>
}

func.func @others(%a: tensor<35x33xf32>, %w: tensor<33x48xf32>)
    -> (tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>, tensor<48x35xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<35x33xf32>
  %z = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %slope = arith.constant 0.01 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.707106769 : f32
  %e = tensor.empty() : tensor<35x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<35x48xf32>) -> tensor<35x48xf32>
  %p0 = linalg.matmul ins(%x, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y0 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p0 : tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i: f32, %o: f32):
    %t = arith.maximumf %i, %z : f32
    %u = arith.minimumf %t, %six : f32
    linalg.yield %u : f32
  } -> tensor<35x48xf32>
  %x1 = math.absf %x : tensor<35x33xf32>
  %p1 = linalg.matmul ins(%x1, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y1 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p1 : tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i: f32, %o: f32):
    %t = arith.cmpf ogt, %i, %z : f32
    %u = arith.mulf %i, %slope : f32
    %v = arith.select %t, %i, %u : f32
    linalg.yield %v : f32
  } -> tensor<35x48xf32>
  %x2 = math.tanh %x : tensor<35x33xf32>
  %p2 = linalg.matmul ins(%x2, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %y2 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p2 : tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) {
  ^bb0(%i: f32, %o: f32):
    %t = arith.mulf %i, %root : f32
    %u = math.erf %t : f32
    %v = arith.addf %u, %one : f32
    %q = arith.mulf %i, %half : f32
    %r = arith.mulf %q, %v : f32
    linalg.yield %r : f32
  } -> tensor<35x48xf32>
  %x3 = math.sin %x : tensor<35x33xf32>
  %p3 = linalg.matmul ins(%x3, %w : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %et = tensor.empty() : tensor<48x35xf32>
  %y3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #m], iterator_types = ["parallel", "parallel"]}
      ins(%p3 : tensor<35x48xf32>) outs(%et : tensor<48x35xf32>) {
  ^bb0(%i: f32, %o: f32):
    %t = arith.maximumf %i, %z : f32
    linalg.yield %t : f32
  } -> tensor<48x35xf32>
  return %y0, %y1, %y2, %y3 : tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>, tensor<48x35xf32>
}
