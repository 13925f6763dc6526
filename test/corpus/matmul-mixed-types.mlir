// Matmuls that widen: i8 operands into i32, f16 operands into f32, contraction split.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<12x16xi8>, %b: tensor<16x20xi8>, %c_in: tensor<12x16xf16>,
                %d: tensor<16x20xf16>) -> (tensor<12x20xi32>, tensor<12x20xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<12x16xi8>
  %c = shard.shard %c_in to %columns : tensor<12x16xf16>
  %zero = arith.constant 0 : i32
  %zero_f = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<12x20xi32>
  %i0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<12x20xi32>) -> tensor<12x20xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<12x16xi8>, tensor<16x20xi8>)
      outs(%i0 : tensor<12x20xi32>) -> tensor<12x20xi32>
  %e1 = tensor.empty() : tensor<12x20xf32>
  %i1 = linalg.fill ins(%zero_f : f32) outs(%e1 : tensor<12x20xf32>) -> tensor<12x20xf32>
  %1 = linalg.matmul ins(%c, %d : tensor<12x16xf16>, tensor<16x20xf16>)
      outs(%i1 : tensor<12x20xf32>) -> tensor<12x20xf32>
  return %0, %1 : tensor<12x20xi32>, tensor<12x20xf32>
}
