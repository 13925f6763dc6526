// Transposes in front of products, which take them as strides: of either operand, of both, of a batch, one after
// another, of a value that others read as well, and in the form of a generic.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
// RUN-CHECK: --grid 2x2 --seed 2
shard.grid @g(shape = 4x1)
func.func @main(%a_in: tensor<10x36xf32>, %b: tensor<28x36xf32>, %c_in: tensor<3x20x18xf64>,
                %d: tensor<24x3x20xf64>)
    -> (tensor<10x28xf32>, tensor<36x36xf32>, tensor<3x18x24xf64>, tensor<36x10xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %rows : tensor<10x36xf32>
  %zero = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64

  // Right operand.
  %be = tensor.empty() : tensor<36x28xf32>
  %bt = linalg.transpose ins(%b : tensor<28x36xf32>) outs(%be : tensor<36x28xf32>) permutation = [1, 0]
  %e0 = tensor.empty() : tensor<10x28xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<10x28xf32>) -> tensor<10x28xf32>
  %r0 = linalg.matmul ins(%a, %bt : tensor<10x36xf32>, tensor<36x28xf32>)
      outs(%f0 : tensor<10x28xf32>) -> tensor<10x28xf32>

  // Left operand, a generic; its transpose is returned as well.
  %ae = tensor.empty() : tensor<36x10xf32>
  %at = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
                        iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<10x36xf32>) outs(%ae : tensor<36x10xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<36x10xf32>
  %e1 = tensor.empty() : tensor<36x36xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<36x36xf32>) -> tensor<36x36xf32>
  %r1 = linalg.matmul ins(%at, %a : tensor<36x10xf32>, tensor<10x36xf32>)
      outs(%f1 : tensor<36x36xf32>) -> tensor<36x36xf32>

  // A batch, both operands, two transposes of one.
  %cols = shard.sharding @g split_axes = [[], [], [0]] : !shard.sharding
  %c = shard.shard %c_in to %cols : tensor<3x20x18xf64>
  %ce = tensor.empty() : tensor<3x18x20xf64>
  %ct = linalg.transpose ins(%c : tensor<3x20x18xf64>) outs(%ce : tensor<3x18x20xf64>)
      permutation = [0, 2, 1]
  %de = tensor.empty() : tensor<20x24x3xf64>
  %dt = linalg.transpose ins(%d : tensor<24x3x20xf64>) outs(%de : tensor<20x24x3xf64>)
      permutation = [2, 0, 1]
  %dte = tensor.empty() : tensor<3x20x24xf64>
  %dtt = linalg.transpose ins(%dt : tensor<20x24x3xf64>) outs(%dte : tensor<3x20x24xf64>)
      permutation = [2, 0, 1]
  %e2 = tensor.empty() : tensor<3x18x24xf64>
  %f2 = linalg.fill ins(%zero64 : f64) outs(%e2 : tensor<3x18x24xf64>) -> tensor<3x18x24xf64>
  %r2 = linalg.batch_matmul ins(%ct, %dtt : tensor<3x18x20xf64>, tensor<3x20x24xf64>)
      outs(%f2 : tensor<3x18x24xf64>) -> tensor<3x18x24xf64>
  return %r0, %r1, %r2, %at : tensor<10x28xf32>, tensor<36x36xf32>, tensor<3x18x24xf64>, tensor<36x10xf32>
}
