// A parallel loop over split rows: each device runs those of its rows.
// RUN-CHECK: --grid 1,2,3,4,7 --seed 4
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<9x8xf32>
  %r = scf.forall (%i) in (9) shared_outs(%o = %x) -> tensor<9x8xf32> {
    %t = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<9x8xf32> to tensor<1x8xf32>
    %u = arith.addf %t, %t : tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<9x8xf32>
    }
  }
  %s = shard.shard %r to %rows : tensor<9x8xf32>
  return %s : tensor<9x8xf32>
}
