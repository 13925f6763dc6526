// Contractions in every guise that the matrix product takes: transposed, batched, merged and split
// dimensions, vectors, accumulation, integers.
func.func @transposed(%a: tensor<48x40xf32>, %b: tensor<56x48xf32>) -> tensor<40x56xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x56xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<40x56xf32>) -> tensor<40x56xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x40xf32>, tensor<56x48xf32>) outs(%f : tensor<40x56xf32>) {
  ^bb0(%x: f32, %y: f32, %c: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<40x56xf32>
  return %r : tensor<40x56xf32>
}
func.func @batch(%a: tensor<3x16x24xf64>, %b: tensor<3x24x32xf64>) -> tensor<3x16x32xf64> {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<3x16x32xf64>
  %f = linalg.fill ins(%z : f64) outs(%e : tensor<3x16x32xf64>) -> tensor<3x16x32xf64>
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x16x24xf64>, tensor<3x24x32xf64>) outs(%f : tensor<3x16x32xf64>) -> tensor<3x16x32xf64>
  return %r : tensor<3x16x32xf64>
}
// Heads between batch and sequence: two batch dimensions that cannot merge.
func.func @heads(%q: tensor<2x16x4x8xf32>, %k: tensor<2x20x4x8xf32>) -> tensor<2x4x16x20xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x16x20xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x4x16x20xf32>) -> tensor<2x4x16x20xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, i, h, d)>, affine_map<(b, h, i, j, d) -> (b, j, h, d)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x16x4x8xf32>, tensor<2x20x4x8xf32>) outs(%f : tensor<2x4x16x20xf32>) {
  ^bb0(%x: f32, %y: f32, %c: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  } -> tensor<2x4x16x20xf32>
  return %r : tensor<2x4x16x20xf32>
}
// Two reduced dimensions that cannot merge in both operands, on top of an old value.
func.func @two_sums(%a: tensor<24x6x10xf32>, %b: tensor<10x6x28xf32>, %c: tensor<24x28xf32>) -> tensor<24x28xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (l, k, n)>, affine_map<(m, n, k, l) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<24x6x10xf32>, tensor<10x6x28xf32>) outs(%c : tensor<24x28xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<24x28xf32>
  return %r : tensor<24x28xf32>
}
// A linear layer over batch x sequence: the two merge into the rows of one product.
func.func @linear(%x: tensor<4x16x32xf32>, %w: tensor<32x24xf32>) -> tensor<4x16x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x16x24xf32>) -> tensor<4x16x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (k, n)>, affine_map<(b, s, n, k) -> (b, s, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x16x32xf32>, tensor<32x24xf32>) outs(%f : tensor<4x16x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16x24xf32>
  return %r : tensor<4x16x24xf32>
}
func.func @vectors(%a: tensor<80x64xf32>, %x: tensor<64xf32>, %y: tensor<80xf32>) -> (tensor<80xf32>, tensor<64xf32>, tensor<f32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<80xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<80xf32>) -> tensor<80xf32>
  %r = linalg.matvec ins(%a, %x : tensor<80x64xf32>, tensor<64xf32>) outs(%f : tensor<80xf32>) -> tensor<80xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.vecmat ins(%y, %a : tensor<80xf32>, tensor<80x64xf32>) outs(%f1 : tensor<64xf32>) -> tensor<64xf32>
  %e2 = tensor.empty() : tensor<f32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<f32>) -> tensor<f32>
  %t = linalg.dot ins(%y, %r : tensor<80xf32>, tensor<80xf32>) outs(%f2 : tensor<f32>) -> tensor<f32>
  return %r, %s, %t : tensor<80xf32>, tensor<64xf32>, tensor<f32>
}
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @integers(%a: tensor<16x32xi8>, %b: tensor<32x16xi8>) -> tensor<16x16xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<16x16xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<16x16xi32>) -> tensor<16x16xi32>
  %r = linalg.matmul ins(%a, %b : tensor<16x32xi8>, tensor<32x16xi8>) outs(%f : tensor<16x16xi32>) -> tensor<16x16xi32>
  return %r : tensor<16x16xi32>
}
// Small: loops, no call.
func.func @small(%a: tensor<3x4xf32>, %b: tensor<4x2xf32>) -> tensor<3x2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
// A product of slices: strides, no copies.
func.func @slices(%a: tensor<64x64xf32>) -> tensor<32x32xf32> {
  %z = arith.constant 0.0 : f32
  %l = tensor.extract_slice %a[0, 8] [32, 40] [1, 1] : tensor<64x64xf32> to tensor<32x40xf32>
  %t = tensor.extract_slice %a[24, 32] [40, 32] [1, 1] : tensor<64x64xf32> to tensor<40x32xf32>
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = linalg.matmul ins(%l, %t : tensor<32x40xf32>, tensor<40x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}
