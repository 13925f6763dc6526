// A parallel loop that builds a tensor slice by slice, of an operand that is split: what it builds stays split.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x8xf32>) -> tensor<10x8xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %one = arith.constant 1 : index
  %r = scf.forall (%i) in (9) shared_outs(%o = %x) -> tensor<10x8xf32> {
    %j = arith.addi %i, %one : index
    %t = tensor.extract_slice %x[%j, 0] [1, 8] [1, 1] : tensor<10x8xf32> to tensor<1x8xf32>
    %u = arith.addf %t, %t : tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %o[%i, 0] [1, 8] [1, 1]
          : tensor<1x8xf32> into tensor<10x8xf32>
    }
  }
  %y = arith.mulf %r, %x : tensor<10x8xf32>
  %s = shard.shard %y to %rows : tensor<10x8xf32>
  return %s : tensor<10x8xf32>
}
