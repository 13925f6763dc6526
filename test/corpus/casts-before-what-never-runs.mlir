// Casts that forget extents in front of what never runs, for these extents, and of slices of nothing at the end.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x4xf32>
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %y = arith.addf %x, %x : tensor<8x4xf32>
  %forgot = tensor.cast %y : tensor<8x4xf32> to tensor<?x4xf32>
  %n = tensor.dim %forgot, %c0 : tensor<?x4xf32>
  %is9 = arith.cmpi eq, %n, %c9 : index
  %by_cast = scf.if %is9 -> tensor<8x4xf32> {
    %nine = tensor.cast %forgot : tensor<?x4xf32> to tensor<9x4xf32>
    %eight = tensor.extract_slice %nine[1, 0] [8, 4] [1, 1] : tensor<9x4xf32> to tensor<8x4xf32>
    scf.yield %eight : tensor<8x4xf32>
  } else {
    scf.yield %y : tensor<8x4xf32>
  }
  %by_slice = scf.if %is9 -> tensor<8x4xf32> {
    %eight = tensor.extract_slice %forgot[1, 0] [8, 4] [1, 1] : tensor<?x4xf32> to tensor<8x4xf32>
    scf.yield %eight : tensor<8x4xf32>
  } else {
    scf.yield %y : tensor<8x4xf32>
  }
  %head = tensor.extract_slice %y[0, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
  %by_join = scf.if %is9 -> tensor<8x4xf32> {
    %ten = tensor.concat dim(0) %forgot, %head : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<10x4xf32>
    %eight = tensor.extract_slice %ten[2, 0] [8, 4] [1, 1] : tensor<10x4xf32> to tensor<8x4xf32>
    scf.yield %eight : tensor<8x4xf32>
  } else {
    scf.yield %y : tensor<8x4xf32>
  }
  %column = tensor.empty() : tensor<9x4xf32>
  %by_join_beside = scf.if %is9 -> tensor<8x4xf32> {
    %wide = tensor.concat dim(1) %forgot, %column : (tensor<?x4xf32>, tensor<9x4xf32>) -> tensor<9x8xf32>
    %eight = tensor.extract_slice %wide[1, 0] [8, 4] [1, 1] : tensor<9x8xf32> to tensor<8x4xf32>
    scf.yield %eight : tensor<8x4xf32>
  } else {
    scf.yield %y : tensor<8x4xf32>
  }
  %nothing = tensor.extract_slice %forgot[8, 0] [0, 4] [1, 1] : tensor<?x4xf32> to tensor<0x4xf32>
  %rolled_by_none = tensor.concat dim(0) %nothing, %y : (tensor<0x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %by_cast, %by_slice, %by_join, %by_join_beside, %rolled_by_none : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
