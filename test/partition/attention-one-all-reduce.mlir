// Attention on batch x heads: no collective but the one of the output projection.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

// CHECK: func.func @main(%{{.*}}: tensor<2x5x16xf32> {{.*}}, %{{.*}}: tensor<16x3x4xf32>
// CHECK-COUNT-2: linalg.batch_matmul
// CHECK: shard.all_reduce {{.*}} on @g grid_axes = [1] : tensor<2x5x16xf32> -> tensor<2x5x16xf32>

shard.grid @g(shape = 2x2)
#abcd = affine_map<(a, b, c, d) -> (a, b, c, d)>
#ijk = affine_map<(i, j, k) -> (i, j, k)>
#ij = affine_map<(i, j, k) -> (i, j)>
#x = affine_map<(b, h, s, d, m) -> (b, s, m)>
#w = affine_map<(b, h, s, d, m) -> (m, h, d)>
#q = affine_map<(b, h, s, d, m) -> (b, h, s, d)>
#kt = affine_map<(b, h, s, d, m) -> (b, h, d, s)>
#o = affine_map<(b, s, m, h, d) -> (b, h, s, d)>
#v = affine_map<(b, s, m, h, d) -> (h, d, m)>
#y = affine_map<(b, s, m, h, d) -> (b, s, m)>
func.func @main(%x_in: tensor<4x5x16xf32>, %wq: tensor<16x6x4xf32>, %wk: tensor<16x6x4xf32>,
                %wv: tensor<16x6x4xf32>, %wo_in: tensor<6x4x16xf32>) -> tensor<4x5x16xf32> {
  %batch = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %heads = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %batch : tensor<4x5x16xf32>
  %wo = shard.shard %wo_in to %heads : tensor<6x4x16xf32>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %e = tensor.empty() : tensor<4x6x5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6x5x4xf32>) -> tensor<4x6x5x4xf32>
  %te = tensor.empty() : tensor<4x6x4x5xf32>
  %tf = linalg.fill ins(%zero : f32) outs(%te : tensor<4x6x4x5xf32>) -> tensor<4x6x4x5xf32>
  %q4 = linalg.contract indexing_maps = [#x, #w, #q]
      ins(%x, %wq : tensor<4x5x16xf32>, tensor<16x6x4xf32>) outs(%f : tensor<4x6x5x4xf32>)
      -> tensor<4x6x5x4xf32>
  %k4 = linalg.contract indexing_maps = [#x, #w, #kt]
      ins(%x, %wk : tensor<4x5x16xf32>, tensor<16x6x4xf32>) outs(%tf : tensor<4x6x4x5xf32>)
      -> tensor<4x6x4x5xf32>
  %v4 = linalg.contract indexing_maps = [#x, #w, #q]
      ins(%x, %wv : tensor<4x5x16xf32>, tensor<16x6x4xf32>) outs(%f : tensor<4x6x5x4xf32>)
      -> tensor<4x6x5x4xf32>
  %qm = tensor.collapse_shape %q4 [[0, 1], [2], [3]] : tensor<4x6x5x4xf32> into tensor<24x5x4xf32>
  %km = tensor.collapse_shape %k4 [[0, 1], [2], [3]] : tensor<4x6x4x5xf32> into tensor<24x4x5xf32>
  %vm = tensor.collapse_shape %v4 [[0, 1], [2], [3]] : tensor<4x6x5x4xf32> into tensor<24x5x4xf32>
  %se = tensor.empty() : tensor<24x5x5xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<24x5x5xf32>) -> tensor<24x5x5xf32>
  %scores = linalg.batch_matmul ins(%qm, %km : tensor<24x5x4xf32>, tensor<24x4x5xf32>)
      outs(%sf : tensor<24x5x5xf32>) -> tensor<24x5x5xf32>
  %re = tensor.empty() : tensor<24x5xf32>
  %lows = linalg.fill ins(%low : f32) outs(%re : tensor<24x5xf32>) -> tensor<24x5xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%re : tensor<24x5xf32>) -> tensor<24x5xf32>
  %max = linalg.reduce { arith.maximumf } ins(%scores : tensor<24x5x5xf32>)
      outs(%lows : tensor<24x5xf32>) dimensions = [2]
  %exp = linalg.generic {indexing_maps = [#ijk, #ij, #ijk],
                         iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %max : tensor<24x5x5xf32>, tensor<24x5xf32>) outs(%se : tensor<24x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %z = math.exp %d : f32
    linalg.yield %z : f32
  } -> tensor<24x5x5xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<24x5x5xf32>)
      outs(%zeros : tensor<24x5xf32>) dimensions = [2]
  %prob = linalg.generic {indexing_maps = [#ijk, #ij, #ijk],
                          iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<24x5x5xf32>, tensor<24x5xf32>) outs(%se : tensor<24x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %z = arith.divf %a, %b : f32
    linalg.yield %z : f32
  } -> tensor<24x5x5xf32>
  %oe = tensor.empty() : tensor<24x5x4xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<24x5x4xf32>) -> tensor<24x5x4xf32>
  %om = linalg.batch_matmul ins(%prob, %vm : tensor<24x5x5xf32>, tensor<24x5x4xf32>)
      outs(%of : tensor<24x5x4xf32>) -> tensor<24x5x4xf32>
  %o4 = tensor.expand_shape %om [[0, 1], [2], [3]] output_shape [4, 6, 5, 4]
      : tensor<24x5x4xf32> into tensor<4x6x5x4xf32>
  %ye = tensor.empty() : tensor<4x5x16xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x5x16xf32>) -> tensor<4x5x16xf32>
  %r = linalg.contract indexing_maps = [#o, #v, #y]
      ins(%o4, %wo : tensor<4x6x5x4xf32>, tensor<6x4x16xf32>) outs(%yf : tensor<4x5x16xf32>)
      -> tensor<4x5x16xf32>
  return %r : tensor<4x5x16xf32>
}
