// A weight that is split, transposed and used whole, and its gradient without an annotation, in uneven
// pieces too.
// RUN-CHECK: --grid 1,2,4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<30x6xf32>, %w_in: tensor<6x6xf32>) -> (tensor<30x6xf32>, tensor<6x6xf32>, tensor<6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<30x6xf32>
  %w = shard.shard %w_in to %rows : tensor<6x6xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<30x6xf32>) -> tensor<30x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<30x6xf32>, tensor<6x6xf32>) outs(%f : tensor<30x6xf32>) -> tensor<30x6xf32>
  %d = math.tanh %y : tensor<30x6xf32>
  %ew = tensor.empty() : tensor<6x6xf32>
  %t = linalg.transpose ins(%w : tensor<6x6xf32>) outs(%ew : tensor<6x6xf32>) permutation = [1, 0]
  %dx = linalg.matmul ins(%d, %t : tensor<30x6xf32>, tensor<6x6xf32>) outs(%f : tensor<30x6xf32>) -> tensor<30x6xf32>
  %ex = tensor.empty() : tensor<6x30xf32>
  %xt = linalg.transpose ins(%x : tensor<30x6xf32>) outs(%ex : tensor<6x30xf32>) permutation = [1, 0]
  %fw = linalg.fill ins(%zero : f32) outs(%ew : tensor<6x6xf32>) -> tensor<6x6xf32>
  %dw = linalg.matmul ins(%xt, %d : tensor<6x30xf32>, tensor<30x6xf32>) outs(%fw : tensor<6x6xf32>) -> tensor<6x6xf32>
  %eb = tensor.empty() : tensor<6xf32>
  %fb = linalg.fill ins(%zero : f32) outs(%eb : tensor<6xf32>) -> tensor<6xf32>
  %db = linalg.reduce { arith.addf } ins(%d : tensor<30x6xf32>) outs(%fb : tensor<6xf32>) dimensions = [0]
  return %dx, %dw, %db : tensor<30x6xf32>, tensor<6x6xf32>, tensor<6xf32>
}
