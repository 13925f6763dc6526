// Insertions at places that only the run knows, along dimensions that are split (a cache of keys):
// each device writes what lies in its piece. In a loop, of merged dimensions, of fewer dimensions.
// RUN-CHECK: --grid 1,2,3,4,8 --shape 6=9x4 --seed 1
// RUN-CHECK: --grid 2,5 --shape 6=4x4 --seed 2
shard.grid @g(shape = 4)
func.func @main(%cache_in: tensor<3x11x6xf32>, %key: tensor<3x1x6xf32>, %keys_in: tensor<3x7x6xf32>,
                %i: i32 {tessera.range = [0, 11]}, %j: i32 {tessera.range = [0, 5]}, %m_in: tensor<6x4x3xi32>,
                %open_in: tensor<?x4xf64>, %row: tensor<4xf64>, %few: tensor<5x3xi32>, %plane: tensor<3x6xf32>)
    -> (tensor<3x11x6xf32>, tensor<3x11x6xf32>, tensor<24x3xi32>, tensor<?x4xf64>, tensor<3x11x6xf32>, tensor<3x11x6xf32>) {
  %middle = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %cache = shard.shard %cache_in to %middle : tensor<3x11x6xf32>
  %keys = shard.shard %keys_in to %middle : tensor<3x7x6xf32>
  %open = shard.shard %open_in to %rows : tensor<?x4xf64>
  %m = shard.shard %m_in to %middle : tensor<6x4x3xi32>
  %p = arith.index_cast %i : i32 to index
  %q = arith.index_cast %j : i32 to index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %r = arith.remui %q, %c3 : index
  %a = tensor.insert_slice %key into %cache[0, %p, 0] [3, 1, 6] [1, 1, 1] : tensor<3x1x6xf32> into tensor<3x11x6xf32>
  %b = tensor.insert_slice %keys into %cache[0, %q, 0] [3, 7, 6] [1, 1, 1] : tensor<3x7x6xf32> into tensor<3x11x6xf32>
  %merged = tensor.collapse_shape %m [[0, 1], [2]] : tensor<6x4x3xi32> into tensor<24x3xi32>
  %c = tensor.insert_slice %few into %merged[%p, 0] [5, 3] [1, 1] : tensor<5x3xi32> into tensor<24x3xi32>
  %d = tensor.insert_slice %row into %open[%r, 0] [1, 4] [1, 1] : tensor<4xf64> into tensor<?x4xf64>
  %e = tensor.insert_slice %plane into %cache[0, %p, 0] [3, 1, 6] [1, 1, 1] : tensor<3x6xf32> into tensor<3x11x6xf32>
  %f = scf.for %k = %c0 to %c3 step %c1 iter_args(%now = %cache) -> (tensor<3x11x6xf32>) {
    %at = arith.addi %k, %q : index
    %old = tensor.extract_slice %now[0, %at, 0] [3, 1, 6] [1, 1, 1] : tensor<3x11x6xf32> to tensor<3x1x6xf32>
    %new = arith.addf %old, %key : tensor<3x1x6xf32>
    %next = arith.addi %at, %c1 : index
    %then = tensor.insert_slice %new into %now[0, %next, 0] [3, 1, 6] [1, 1, 1] : tensor<3x1x6xf32> into tensor<3x11x6xf32>
    scf.yield %then : tensor<3x11x6xf32>
  }
  return %a, %b, %c, %d, %e, %f : tensor<3x11x6xf32>, tensor<3x11x6xf32>, tensor<24x3xi32>, tensor<?x4xf64>, tensor<3x11x6xf32>, tensor<3x11x6xf32>
}
