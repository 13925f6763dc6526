// What an exchange brings is read by elementwise ops, of which each device has most itself: with
// corners, with pieces of one size that begin elsewhere on each device, and as a whole besides.
// RUN-CHECK: --grid 2x2,4,1x4,3x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<612x396xf64>, %y_in: tensor<612x396xf64>)
    -> (tensor<610x394xf64>, tensor<612x396xf64>, tensor<612x396xf64>, tensor<396x612xf64>) {
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %both : tensor<612x396xf64>
  %y = shard.shard %y_in to %both : tensor<612x396xf64>
  // Corners: all nine neighbours, of the inside.
  %a = tensor.extract_slice %x[0, 0] [610, 394] [1, 1] : tensor<612x396xf64> to tensor<610x394xf64>
  %b = tensor.extract_slice %x[0, 2] [610, 394] [1, 1] : tensor<612x396xf64> to tensor<610x394xf64>
  %c = tensor.extract_slice %x[2, 0] [610, 394] [1, 1] : tensor<612x396xf64> to tensor<610x394xf64>
  %d = tensor.extract_slice %x[2, 2] [610, 394] [1, 1] : tensor<612x396xf64> to tensor<610x394xf64>
  %e = tensor.extract_slice %x[1, 1] [610, 394] [1, 1] : tensor<612x396xf64> to tensor<610x394xf64>
  %ab = arith.addf %a, %b : tensor<610x394xf64>
  %cd = arith.mulf %c, %d : tensor<610x394xf64>
  %abcd = arith.subf %ab, %cd : tensor<610x394xf64>
  %inside = arith.addf %abcd, %e : tensor<610x394xf64>
  // Two rows on: pieces of one size.
  %f = tensor.extract_slice %x[2, 0] [610, 396] [1, 1] : tensor<612x396xf64> to tensor<610x396xf64>
  %g = tensor.extract_slice %x[0, 0] [2, 396] [1, 1] : tensor<612x396xf64> to tensor<2x396xf64>
  %up = tensor.concat dim(0) %f, %g : (tensor<610x396xf64>, tensor<2x396xf64>) -> tensor<612x396xf64>
  %rolled = arith.mulf %up, %x : tensor<612x396xf64>
  // Beside neighbours that are padded, and transposed as a whole.
  %zero = arith.constant 0.5 : f64
  %h = tensor.extract_slice %y[0, 0] [611, 396] [1, 1] : tensor<612x396xf64> to tensor<611x396xf64>
  %down = tensor.pad %h low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f64
  } : tensor<611x396xf64> to tensor<612x396xf64>
  %padded = arith.addf %down, %y : tensor<612x396xf64>
  %empty = tensor.empty() : tensor<396x612xf64>
  %turned = linalg.transpose ins(%down : tensor<612x396xf64>) outs(%empty : tensor<396x612xf64>)
      permutation = [1, 0]
  return %inside, %rolled, %padded, %turned
      : tensor<610x394xf64>, tensor<612x396xf64>, tensor<612x396xf64>, tensor<396x612xf64>
}
