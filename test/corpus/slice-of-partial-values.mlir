// A partial product is sliced, joined, inserted and padded; what is not linear has it reduced first.
// RUN-CHECK: --grid 1,2,4,6,8,2x2,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<6x16xf64>, %b: tensor<16x10xf64>, %c: tensor<16x10xf64>,
                %whole: tensor<6x10xf64>)
    -> (tensor<6x4xf64>, tensor<12x10xf64>, tensor<6x10xf64>, tensor<8x10xf64>, tensor<8x10xf64>,
        tensor<12x10xf64>, tensor<6x10xf64>) {
  %columns = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<6x16xf64>
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %empty = tensor.empty() : tensor<6x10xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<6x10xf64>) -> tensor<6x10xf64>
  %p0 = linalg.matmul ins(%a, %b : tensor<6x16xf64>, tensor<16x10xf64>)
      outs(%init : tensor<6x10xf64>) -> tensor<6x10xf64>
  %s = tensor.extract_slice %p0[0, 1] [6, 4] [1, 2] : tensor<6x10xf64> to tensor<6x4xf64>
  %p1 = linalg.matmul ins(%a, %b : tensor<6x16xf64>, tensor<16x10xf64>)
      outs(%init : tensor<6x10xf64>) -> tensor<6x10xf64>
  %p2 = linalg.matmul ins(%a, %c : tensor<6x16xf64>, tensor<16x10xf64>)
      outs(%init : tensor<6x10xf64>) -> tensor<6x10xf64>
  %j = tensor.concat dim(0) %p1, %p2 : (tensor<6x10xf64>, tensor<6x10xf64>) -> tensor<12x10xf64>
  %p3 = linalg.matmul ins(%a, %b : tensor<6x16xf64>, tensor<16x10xf64>)
      outs(%init : tensor<6x10xf64>) -> tensor<6x10xf64>
  %p4 = linalg.matmul ins(%a, %c : tensor<6x16xf64>, tensor<16x10xf64>)
      outs(%init : tensor<6x10xf64>) -> tensor<6x10xf64>
  %s4 = tensor.extract_slice %p4[1, 1] [4, 3] [1, 2] : tensor<6x10xf64> to tensor<4x3xf64>
  %i = tensor.insert_slice %s4 into %p3[2, 5] [4, 3] [1, 1] : tensor<4x3xf64> into tensor<6x10xf64>
  %p5 = linalg.matmul ins(%a, %c : tensor<6x16xf64>, tensor<16x10xf64>)
      outs(%init : tensor<6x10xf64>) -> tensor<6x10xf64>
  %padded = tensor.pad %p5 low[1, 0] high[1, 0] {
  ^bb0(%r: index, %q: index):
    tensor.yield %zero : f64
  } : tensor<6x10xf64> to tensor<8x10xf64>
  %p6 = linalg.matmul ins(%a, %c : tensor<6x16xf64>, tensor<16x10xf64>)
      outs(%init : tensor<6x10xf64>) -> tensor<6x10xf64>
  %ones = tensor.pad %p6 low[1, 0] high[1, 0] {
  ^bb0(%r: index, %q: index):
    tensor.yield %one : f64
  } : tensor<6x10xf64> to tensor<8x10xf64>
  %p7 = linalg.matmul ins(%a, %c : tensor<6x16xf64>, tensor<16x10xf64>)
      outs(%init : tensor<6x10xf64>) -> tensor<6x10xf64>
  %mixed = tensor.concat dim(0) %p7, %whole
      : (tensor<6x10xf64>, tensor<6x10xf64>) -> tensor<12x10xf64>
  %p8 = linalg.matmul ins(%a, %b : tensor<6x16xf64>, tensor<16x10xf64>)
      outs(%init : tensor<6x10xf64>) -> tensor<6x10xf64>
  %all = tensor.insert_slice %p8 into %whole[0, 0] [6, 10] [1, 1]
      : tensor<6x10xf64> into tensor<6x10xf64>
  %more = arith.addf %all, %whole : tensor<6x10xf64>
  return %s, %j, %i, %padded, %ones, %mixed, %more
      : tensor<6x4xf64>, tensor<12x10xf64>, tensor<6x10xf64>, tensor<8x10xf64>, tensor<8x10xf64>,
        tensor<12x10xf64>, tensor<6x10xf64>
}
