// Slices at places that only the run knows, along dimensions that are split: one row, several,
// places of two dimensions, of merged dimensions, bits, sizes of the run; dropped dimensions.
// RUN-CHECK: --grid 1,2,3,4,8 --shape 4=9x4 --seed 1
// RUN-CHECK: --grid 2,5 --shape 4=5x4 --seed 2
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<4x11x6xf32>, %i: i32 {tessera.range = [0, 11]}, %j: i32 {tessera.range = [0, 5]},
                %flags_in: tensor<10xi1>, %open_in: tensor<?x4xf64>, %m_in: tensor<6x4x3xi32>)
    -> (tensor<4x1x6xf32>, tensor<4x6xf32>, tensor<4x7x6xf32>, tensor<2x7x6xf32>, tensor<4xi1>, tensor<?x4xf64>,
        tensor<4x3xi32>) {
  %middle = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %middle : tensor<4x11x6xf32>
  %flags = shard.shard %flags_in to %rows : tensor<10xi1>
  %open = shard.shard %open_in to %rows : tensor<?x4xf64>
  %m = shard.shard %m_in to %middle : tensor<6x4x3xi32>
  %p = arith.index_cast %i : i32 to index
  %q = arith.index_cast %j : i32 to index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = arith.remui %q, %c3 : index
  %a = tensor.extract_slice %x[0, %p, 0] [4, 1, 6] [1, 1, 1] : tensor<4x11x6xf32> to tensor<4x1x6xf32>
  %b = tensor.extract_slice %x[0, %p, 0] [4, 1, 6] [1, 1, 1] : tensor<4x11x6xf32> to tensor<4x6xf32>
  %c = tensor.extract_slice %x[0, %q, 0] [4, 7, 6] [1, 1, 1] : tensor<4x11x6xf32> to tensor<4x7x6xf32>
  %d = tensor.extract_slice %x[%r, %q, 0] [2, 7, 6] [1, 1, 1] : tensor<4x11x6xf32> to tensor<2x7x6xf32>
  %e = tensor.extract_slice %flags[%q] [4] [1] : tensor<10xi1> to tensor<4xi1>
  %s = arith.addi %r, %c2 : index
  %c0 = arith.constant 0 : index
  %f = tensor.extract_slice %open[%c0, 0] [%s, 4] [1, 1] : tensor<?x4xf64> to tensor<?x4xf64>
  %g = tensor.extract_slice %open[%r, 0] [%c3, 4] [1, 1] : tensor<?x4xf64> to tensor<?x4xf64>
  %h = tensor.insert_slice %g into %open_in[%r, 0] [%c3, 4] [1, 1] : tensor<?x4xf64> into tensor<?x4xf64>
  %merged = tensor.collapse_shape %m [[0, 1], [2]] : tensor<6x4x3xi32> into tensor<24x3xi32>
  %n = tensor.extract_slice %merged[%p, 0] [4, 3] [1, 1] : tensor<24x3xi32> to tensor<4x3xi32>
  return %a, %b, %c, %d, %e, %h, %n : tensor<4x1x6xf32>, tensor<4x6xf32>, tensor<4x7x6xf32>, tensor<2x7x6xf32>, tensor<4xi1>, tensor<?x4xf64>, tensor<4x3xi32>
}
