// Of a roll somebody reads what comes from one of its two parts alone: of the other nobody has anything.
// RUN-CHECK: --grid 1x1,2x1,4x1,2x2,1x3 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<9x12xf64>) -> (tensor<9x12xf64>, tensor<1x5xf64>, tensor<9x12xf64>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<9x12xf64>
  %a = tensor.extract_slice %x[6, 0] [3, 12] [1, 1] : tensor<9x12xf64> to tensor<3x12xf64>
  %b = tensor.extract_slice %x[0, 0] [6, 12] [1, 1] : tensor<9x12xf64> to tensor<6x12xf64>
  %c = tensor.concat dim(0) %a, %b : (tensor<3x12xf64>, tensor<6x12xf64>) -> tensor<9x12xf64>
  %d = tensor.extract_slice %c[8, 1] [1, 5] [1, 2] : tensor<9x12xf64> to tensor<1x5xf64>
  %i = tensor.insert_slice %a into %x[0, 0] [3, 12] [1, 1] : tensor<3x12xf64> into tensor<9x12xf64>
  %p = tensor.extract_slice %i[8, 0] [1, 12] [1, 1] : tensor<9x12xf64> to tensor<1x12xf64>
  %q = tensor.extract_slice %x[0, 0] [8, 12] [1, 1] : tensor<9x12xf64> to tensor<8x12xf64>
  %t = tensor.concat dim(0) %p, %q : (tensor<1x12xf64>, tensor<8x12xf64>) -> tensor<9x12xf64>
  return %c, %d, %t : tensor<9x12xf64>, tensor<1x5xf64>, tensor<9x12xf64>
}
