// Products that are added to what ends there: to another product, to a value that a product was computed
// from, to what a loop carries, a transposed product, and along a split sum; and to what is read later.
// RUN-CHECK: --entry two --grid 1,2,3
// RUN-CHECK: --entry residuals --grid 1,2,4
// RUN-CHECK: --entry carried --grid 1,2
// RUN-CHECK: --entry depth --grid 1,2,3
// RUN-CHECK: --entry wide --grid 1,2
shard.grid @g(shape = 2)
func.func @two(%a: tensor<35x33xf32>, %b: tensor<33x48xf32>, %c: tensor<35x17xf32>, %d: tensor<17x48xf32>)
    -> (tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<35x33xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<35x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<35x48xf32>) -> tensor<35x48xf32>
  %p = linalg.matmul ins(%x, %b : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %q = linalg.matmul ins(%c, %d : tensor<35x17xf32>, tensor<17x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %r = linalg.add ins(%q, %p : tensor<35x48xf32>, tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) -> tensor<35x48xf32>
  // Of the sum a part is read later.
  %n = math.absf %x : tensor<35x33xf32>
  %t = linalg.matmul ins(%n, %b : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %l = math.tanh %x : tensor<35x33xf32>
  %u = linalg.matmul ins(%l, %b : tensor<35x33xf32>, tensor<33x48xf32>) outs(%f : tensor<35x48xf32>) -> tensor<35x48xf32>
  %v = linalg.add ins(%t, %u : tensor<35x48xf32>, tensor<35x48xf32>) outs(%e : tensor<35x48xf32>) -> tensor<35x48xf32>
  return %r, %t, %v : tensor<35x48xf32>, tensor<35x48xf32>, tensor<35x48xf32>
}

func.func @residuals(%a: tensor<36x32xf32>, %b: tensor<32x32xf32>, %c: tensor<32x32xf32>, %d: tensor<32x32xf32>) -> tensor<36x32xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<36x32xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<36x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<36x32xf32>) -> tensor<36x32xf32>
  %p = linalg.matmul ins(%x, %b : tensor<36x32xf32>, tensor<32x32xf32>) outs(%f : tensor<36x32xf32>) -> tensor<36x32xf32>
  %q = linalg.matmul ins(%p, %c : tensor<36x32xf32>, tensor<32x32xf32>) outs(%f : tensor<36x32xf32>) -> tensor<36x32xf32>
  %y = arith.addf %p, %q : tensor<36x32xf32>
  %n = math.tanh %y : tensor<36x32xf32>
  %t = linalg.matmul ins(%n, %d : tensor<36x32xf32>, tensor<32x32xf32>) outs(%f : tensor<36x32xf32>) -> tensor<36x32xf32>
  %r = arith.addf %t, %y : tensor<36x32xf32>
  return %r : tensor<36x32xf32>
}

func.func @carried(%a: tensor<24x32xf32>, %b: tensor<32x24xf32>, %start: tensor<24x24xf32>) -> (tensor<24x24xf32>, tensor<24x24xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<24x32xf32>
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<24x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %start, %o = %start) -> (tensor<24x24xf32>, tensor<24x24xf32>) {
    %p = linalg.matmul ins(%x, %b : tensor<24x32xf32>, tensor<32x24xf32>) outs(%f : tensor<24x24xf32>) -> tensor<24x24xf32>
    %u = arith.addf %p, %t : tensor<24x24xf32>
    %n = math.tanh %o : tensor<24x24xf32>
    %q = linalg.matmul ins(%n, %start : tensor<24x24xf32>, tensor<24x24xf32>) outs(%f : tensor<24x24xf32>) -> tensor<24x24xf32>
    %v = arith.addf %q, %o : tensor<24x24xf32>
    scf.yield %u, %v : tensor<24x24xf32>, tensor<24x24xf32>
  }
  return %r#0, %r#1 : tensor<24x24xf32>, tensor<24x24xf32>
}

// What each device has of the sums is added before they are.
func.func @depth(%a: tensor<20x34xf32>, %b: tensor<34x24xf32>, %c: tensor<20x34xf32>, %d: tensor<34x24xf32>) -> tensor<20x24xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<20x34xf32>
  %y = shard.shard %c to %s : tensor<20x34xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<20x24xf32>) -> tensor<20x24xf32>
  %p = linalg.matmul ins(%x, %b : tensor<20x34xf32>, tensor<34x24xf32>) outs(%f : tensor<20x24xf32>) -> tensor<20x24xf32>
  %q = linalg.matmul ins(%y, %d : tensor<20x34xf32>, tensor<34x24xf32>) outs(%f : tensor<20x24xf32>) -> tensor<20x24xf32>
  %r = arith.addf %p, %q : tensor<20x24xf32>
  return %r : tensor<20x24xf32>
}

// Of several dimensions, of f64, the second one transposed.
func.func @wide(%a: tensor<4x12x16xf64>, %b: tensor<4x16x20xf64>, %c: tensor<4x10x12xf64>, %d: tensor<4x20x10xf64>) -> tensor<4x12x20xf64> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<4x12x16xf64>
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4x12x20xf64>
  %f = linalg.fill ins(%z : f64) outs(%e : tensor<4x12x20xf64>) -> tensor<4x12x20xf64>
  %p = linalg.batch_matmul ins(%x, %b : tensor<4x12x16xf64>, tensor<4x16x20xf64>) outs(%f : tensor<4x12x20xf64>) -> tensor<4x12x20xf64>
  %q = linalg.contract indexing_maps = [affine_map<(b, i, j, k) -> (b, k, i)>, affine_map<(b, i, j, k) -> (b, j, k)>,
                                        affine_map<(b, i, j, k) -> (b, i, j)>]
      ins(%c, %d : tensor<4x10x12xf64>, tensor<4x20x10xf64>) outs(%f : tensor<4x12x20xf64>) -> tensor<4x12x20xf64>
  %r = arith.addf %p, %q : tensor<4x12x20xf64>
  return %r : tensor<4x12x20xf64>
}
