// Six heads on four devices: the grid is cut in two for them, and each pair of devices shares what
// heads are summed over.
// RUN-CHECK: --grid 1,2,3,4,5,8,9,12 --seed 1
shard.grid @grid(shape = 4)

func.func @main(%x_in: tensor<10x24xf32>, %wq_in: tensor<24x36xf32>, %wk_in: tensor<24x36xf32>) -> tensor<6x10x10xf32> {
  %cols = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %wq = shard.shard %wq_in to %cols : tensor<24x36xf32>
  %wk = shard.shard %wk_in to %cols : tensor<24x36xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x36xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x36xf32>) -> tensor<10x36xf32>
  %q = linalg.matmul ins(%x_in, %wq : tensor<10x24xf32>, tensor<24x36xf32>) outs(%f : tensor<10x36xf32>) -> tensor<10x36xf32>
  %k = linalg.matmul ins(%x_in, %wk : tensor<10x24xf32>, tensor<24x36xf32>) outs(%f : tensor<10x36xf32>) -> tensor<10x36xf32>
  %qh = tensor.expand_shape %q [[0], [1, 2]] output_shape [10, 6, 6] : tensor<10x36xf32> into tensor<10x6x6xf32>
  %kh = tensor.expand_shape %k [[0], [1, 2]] output_shape [10, 6, 6] : tensor<10x36xf32> into tensor<10x6x6xf32>
  %se = tensor.empty() : tensor<6x10x10xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<6x10x10xf32>) -> tensor<6x10x10xf32>
  %scores = linalg.generic {
      indexing_maps = [affine_map<(h, i, j, d) -> (i, h, d)>, affine_map<(h, i, j, d) -> (j, h, d)>,
                       affine_map<(h, i, j, d) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%qh, %kh : tensor<10x6x6xf32>, tensor<10x6x6xf32>) outs(%sf : tensor<6x10x10xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %c, %m : f32
      linalg.yield %s : f32
  } -> tensor<6x10x10xf32>
  return %scores : tensor<6x10x10xf32>
}
