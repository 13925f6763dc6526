// Floats of 8 bits: arithmetic on them, sums of them, conversions from and to wider ones, a product that widens them.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
// RUN-CHECK: --grid 2x2 --seed 2
shard.grid @g(shape = 4x1)
func.func @main(%a_in: tensor<10x24xf32>, %b: tensor<10x24xf32>, %h: tensor<24x20xf16>)
    -> (tensor<10x24xf8E4M3FN>, tensor<10x24xf32>, tensor<10x20xf32>, tensor<10x24xf8E5M2>, tensor<10x24xf64>,
        tensor<24xf8E5M2>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<10x24xf32>
  %x = arith.truncf %a : tensor<10x24xf32> to tensor<10x24xf8E4M3FN>
  %y = arith.truncf %b : tensor<10x24xf32> to tensor<10x24xf8E4M3FN>
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %moved = shard.shard %x to %columns annotate_for_users : tensor<10x24xf8E4M3FN>
  %sum = arith.addf %moved, %y : tensor<10x24xf8E4M3FN>
  %e = arith.extf %sum : tensor<10x24xf8E4M3FN> to tensor<10x24xf32>

  %h8 = arith.truncf %h : tensor<24x20xf16> to tensor<24x20xf8E4M3FN>
  %zero = arith.constant 0.0 : f32
  %me = tensor.empty() : tensor<10x20xf32>
  %mf = linalg.fill ins(%zero : f32) outs(%me : tensor<10x20xf32>) -> tensor<10x20xf32>
  %p = linalg.matmul ins(%x, %h8 : tensor<10x24xf8E4M3FN>, tensor<24x20xf8E4M3FN>)
      outs(%mf : tensor<10x20xf32>) -> tensor<10x20xf32>

  %big = arith.constant dense<3000.0> : tensor<10x24xf32>
  %c = arith.mulf %a, %big : tensor<10x24xf32>
  %w = arith.truncf %c : tensor<10x24xf32> to tensor<10x24xf8E5M2>
  %root = math.absf %w : tensor<10x24xf8E5M2>
  %d = arith.extf %root : tensor<10x24xf8E5M2> to tensor<10x24xf64>
  // No collective adds these: the loop stays whole.
  %none = arith.constant dense<0.0> : tensor<24xf8E5M2>
  %t = linalg.reduce {arith.addf} ins(%w : tensor<10x24xf8E5M2>) outs(%none : tensor<24xf8E5M2>) dimensions = [0]
  return %sum, %e, %p, %root, %d, %t
      : tensor<10x24xf8E4M3FN>, tensor<10x24xf32>, tensor<10x20xf32>, tensor<10x24xf8E5M2>, tensor<10x24xf64>,
        tensor<24xf8E5M2>
}
