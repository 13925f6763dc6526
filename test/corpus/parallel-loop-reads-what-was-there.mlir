// What the trips of a parallel loop read of what they build is what was there before the loop: rows that other
// trips write, and rows that the same trip writes elsewhere.
// RUN-CHECK: --grid 1,2,3,5 --seed 1
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<7x5xf32>, %y_in: tensor<8x4xf32>) -> (tensor<7x5xf32>, tensor<8x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<7x5xf32>
  %y = shard.shard %y_in to %rows : tensor<8x4xf32>
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %backwards = scf.forall (%i) in (7) shared_outs(%o = %x) -> tensor<7x5xf32> {
    %k = arith.subi %c6, %i : index
    %t = tensor.extract_slice %o[%k, 0] [1, 5] [1, 1] : tensor<7x5xf32> to tensor<5xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [1, 5] [1, 1] : tensor<5xf32> into tensor<7x5xf32>
    }
  }
  %swapped = scf.forall (%i) in (4) shared_outs(%o = %y) -> tensor<8x4xf32> {
    %k = arith.addi %i, %c4 : index
    %p = tensor.extract_slice %o[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %q = tensor.extract_slice %o[%k, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%k, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
      tensor.parallel_insert_slice %q into %o[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
    }
  }
  // Without an index there is one trip.
  %once = scf.forall () in () shared_outs(%o = %swapped) -> tensor<8x4xf32> {
    %r = math.tanh %o : tensor<8x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[0, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x4xf32>
    }
  }
  return %backwards, %once : tensor<7x5xf32>, tensor<8x4xf32>
}
