// Insertions of fewer dimensions, of which some have one element, at places that only the run knows
// along split dimensions.
// RUN-CHECK: --grid 1,2,3,4,6 --seed 1
// RUN-CHECK: --grid 2,5 --seed 2
shard.grid @g(shape = 4)
func.func @main(%c_in: tensor<3x11x6xf32>, %row: tensor<1x6xf32>, %d_in: tensor<1x11x1x6xf32>,
                %rows: tensor<1x5x6xf32>, %i: i32 {tessera.range = [0, 7]}, %j: i32 {tessera.range = [0, 3]})
    -> (tensor<3x11x6xf32>, tensor<1x6xf32>, tensor<1x11x1x6xf32>, tensor<5x6xf32>) {
  %middle = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %c = shard.shard %c_in to %middle : tensor<3x11x6xf32>
  %d = shard.shard %d_in to %middle : tensor<1x11x1x6xf32>
  %p = arith.index_cast %i : i32 to index
  %q = arith.index_cast %j : i32 to index
  %0 = tensor.insert_slice %row into %c[%q, %p, 0] [1, 1, 6] [1, 1, 1] : tensor<1x6xf32> into tensor<3x11x6xf32>
  %1 = tensor.extract_slice %0[%q, %p, 0] [1, 1, 6] [1, 1, 1] : tensor<3x11x6xf32> to tensor<1x6xf32>
  %2 = tensor.insert_slice %rows into %d[0, %p, 0, 0] [1, 5, 1, 6] [1, 1, 1, 1] : tensor<1x5x6xf32> into tensor<1x11x1x6xf32>
  %3 = tensor.extract_slice %2[0, %p, 0, 0] [1, 5, 1, 6] [1, 1, 1, 1] : tensor<1x11x1x6xf32> to tensor<5x6xf32>
  return %0, %1, %2, %3 : tensor<3x11x6xf32>, tensor<1x6xf32>, tensor<1x11x1x6xf32>, tensor<5x6xf32>
}
