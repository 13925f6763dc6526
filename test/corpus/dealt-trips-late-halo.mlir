// Trips that could be dealt out along an axis over which a loop's input moves, by a halo that only the run knows:
// it would move in the loop, which devices go through a different number of times.
// RUN-CHECK: --grid 2x2,1x3
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<3x16xf64>, %w_in: tensor<1x16xf64>, %halo: i64 {tessera.range = [0, 4]})
    -> (tensor<3x16xf64>, tensor<16xf64>) {
  %rows = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %late = shard.sharding @g split_axes = [[], [1]] halo_sizes = [%halo, 1] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<3x16xf64>
  %w = shard.shard %w_in to %late : tensor<1x16xf64>
  %least = arith.constant dense<0.0> : tensor<16xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%built = %x, %most = %least)
      -> (tensor<3x16xf64>, tensor<16xf64>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 16] [1, 1] : tensor<3x16xf64> to tensor<1x16xf64>
    %sum = arith.addf %row, %w : tensor<1x16xf64>
    %next = tensor.insert_slice %sum into %built[%i, 0] [1, 16] [1, 1]
        : tensor<1x16xf64> into tensor<3x16xf64>
    %part = linalg.reduce { arith.maximumf } ins(%sum : tensor<1x16xf64>) outs(%least : tensor<16xf64>)
        dimensions = [0]
    %all = arith.maximumf %part, %most : tensor<16xf64>
    scf.yield %next, %all : tensor<3x16xf64>, tensor<16xf64>
  }
  return %r#0, %r#1 : tensor<3x16xf64>, tensor<16xf64>
}
