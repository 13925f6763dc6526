// An op that reads a tensor by its index, for pieces that slices ask for: of split rows, and of one row that all need.
// Pads whose values say their place, too.
// RUN-CHECK: --grid 1x1,2x2,4x1,3x2 --seed 1
shard.grid @grid(shape = 2x2)
func.func @main(%x_in: tensor<4x6xf64>) -> (tensor<6xf64>, tensor<6xf64>, tensor<6xf64>) {
  %both = shard.sharding @grid split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<4x6xf64>
  %read = tensor.generate {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%i, %j] : tensor<4x6xf64>
    tensor.yield %v : f64
  } : tensor<4x6xf64>
  %top = tensor.extract_slice %read[0, 0] [3, 6] [1, 1] : tensor<4x6xf64> to tensor<3x6xf64>
  %own = tensor.extract_slice %x[0, 0] [3, 6] [1, 1] : tensor<4x6xf64> to tensor<3x6xf64>
  %twice = arith.addf %top, %own : tensor<3x6xf64>
  %one = arith.constant dense<1.0> : tensor<6xf64>
  %products = linalg.reduce { arith.mulf } ins(%twice : tensor<3x6xf64>) outs(%one : tensor<6xf64>) dimensions = [0]
  %last = tensor.extract_slice %read[3, 0] [1, 6] [1, 1] : tensor<4x6xf64> to tensor<1x6xf64>
  %tanh = math.tanh %last : tensor<1x6xf64>
  %zero = arith.constant dense<0.0> : tensor<6xf64>
  %sum = linalg.reduce { arith.addf } ins(%tanh : tensor<1x6xf64>) outs(%zero : tensor<6xf64>) dimensions = [0]
  %padded = tensor.pad %x low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %i : index to i64
    %n = arith.sitofp %k : i64 to f64
    tensor.yield %n : f64
  } : tensor<4x6xf64> to tensor<4x7xf64>
  %first = tensor.extract_slice %padded[0, 0] [3, 6] [1, 1] : tensor<4x7xf64> to tensor<3x6xf64>
  %after = tensor.extract_slice %x[1, 0] [3, 6] [1, 1] : tensor<4x6xf64> to tensor<3x6xf64>
  %m = arith.mulf %first, %after : tensor<3x6xf64>
  %paired = linalg.reduce { arith.addf } ins(%m : tensor<3x6xf64>) outs(%zero : tensor<6xf64>) dimensions = [0]
  return %products, %sum, %paired : tensor<6xf64>, tensor<6xf64>, tensor<6xf64>
}
