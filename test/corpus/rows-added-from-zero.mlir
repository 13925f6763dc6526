// A gradient of a table, row by row: the table, which begins as zeros, is split as what it is added to, and a row
// moves in each trip.
// RUN-CHECK: --grid 2,3,4
shard.grid @g(shape = 4)
func.func @main(%t_in: tensor<51x6xf32>, %i: tensor<8xi32> {tessera.range = [0, 51]}, %g: tensor<8x6xf32>) -> tensor<51x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %t = shard.shard %t_in to %rows : tensor<51x6xf32>
  %z = arith.constant dense<0.0> : tensor<51x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%a = %z) -> tensor<51x6xf32> {
    %ii = tensor.extract %i[%k] : tensor<8xi32>
    %p = arith.index_cast %ii : i32 to index
    %row = tensor.extract_slice %a[%p, 0] [1, 6] [1, 1] : tensor<51x6xf32> to tensor<1x6xf32>
    %add = tensor.extract_slice %g[%k, 0] [1, 6] [1, 1] : tensor<8x6xf32> to tensor<1x6xf32>
    %n = arith.subf %row, %add : tensor<1x6xf32>
    %a2 = tensor.insert_slice %n into %a[%p, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<51x6xf32>
    scf.yield %a2 : tensor<51x6xf32>
  }
  %q = arith.addf %t, %r : tensor<51x6xf32>
  return %q : tensor<51x6xf32>
}
