// What is annotated with halos stays open, and a projection that is cut in three would have one of its
// dimensions split by several factors, where no halo could be written.
// RUN-CHECK: --atol 1e-9
shard.grid @grid(shape = 1x2x2)
func.func @main(%a: tensor<7x5xf64>, %b: tensor<5x18xf64>, %c: tensor<6xf64>, %small: i64 {tessera.range = [0, 4]})
    -> (tensor<6xf64>, tensor<7x1x6xf64>) {
  %halos = shard.sharding @grid split_axes = [[0], []] halo_sizes = [5, %small] : !shard.sharding
  %all = shard.sharding @grid split_axes = [[0, 2, 1]] : !shard.sharding
  %weights = shard.shard %b to %halos {tessera.open, tessera.flow = "both"} : tensor<5x18xf64>
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<7x18xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<7x18xf64>) -> tensor<7x18xf64>
  %fused = linalg.matmul ins(%a, %weights : tensor<7x5xf64>, tensor<5x18xf64>) outs(%zeros : tensor<7x18xf64>) -> tensor<7x18xf64>
  %first = tensor.extract_slice %fused[0, 0] [7, 6] [1, 1] : tensor<7x18xf64> to tensor<7x6xf64>
  %second = tensor.extract_slice %fused[0, 6] [7, 6] [1, 1] : tensor<7x18xf64> to tensor<7x6xf64>
  %third = tensor.extract_slice %fused[0, 12] [7, 6] [1, 1] : tensor<7x18xf64> to tensor<7x6xf64>
  %least = arith.minnumf %second, %third : tensor<7x6xf64>
  %start = shard.shard %c to %all : tensor<6xf64>
  %most = linalg.reduce { arith.maximumf } ins(%first : tensor<7x6xf64>) outs(%start : tensor<6xf64>) dimensions = [0]
  %split = tensor.expand_shape %least [[0, 1], [2]] output_shape [7, 1, 6] : tensor<7x6xf64> into tensor<7x1x6xf64>
  return %most, %split : tensor<6xf64>, tensor<7x1x6xf64>
}
