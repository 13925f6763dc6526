// Loops that write a row or a column of what they carry at each trip, and read what is there.
// RUN-CHECK: --grid 1,2,4,6,2x2,2x4,2x2x2 --seed 1
shard.grid @g(shape = 2x2x2)
func.func @main(%cache_in: tensor<5x10x6xf32>, %new_in: tensor<10x6xf32>, %other: tensor<10x5xf32>)
    -> (tensor<5x10x6xf32>, tensor<10x6xf32>, tensor<10x5xf32>) {
  %heads = shard.sharding @g split_axes = [[], [0], [1]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0, 2]] : !shard.sharding
  %cache = shard.shard %cache_in to %heads : tensor<5x10x6xf32>
  %new = shard.shard %new_in to %rows : tensor<10x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %filled, %last = scf.for %i = %c0 to %c5 step %c1 iter_args(%c = %cache, %row = %new)
      -> (tensor<5x10x6xf32>, tensor<10x6xf32>) {
    %old = tensor.extract_slice %c[%i, 0, 0] [1, 10, 6] [1, 1, 1]
        : tensor<5x10x6xf32> to tensor<10x6xf32>
    %sum = arith.addf %old, %row : tensor<10x6xf32>
    %next = math.tanh %sum : tensor<10x6xf32>
    %d = tensor.insert_slice %next into %c[%i, 0, 0] [1, 10, 6] [1, 1, 1]
        : tensor<10x6xf32> into tensor<5x10x6xf32>
    scf.yield %d, %next : tensor<5x10x6xf32>, tensor<10x6xf32>
  }
  %empty = tensor.empty() : tensor<10x5xf32>
  %columns = scf.for %i = %c0 to %c5 step %c1 iter_args(%c = %empty) -> (tensor<10x5xf32>) {
    %column = tensor.extract_slice %last[0, %i] [10, 1] [1, 1] : tensor<10x6xf32> to tensor<10xf32>
    %twice = arith.addf %column, %column : tensor<10xf32>
    %d = tensor.insert_slice %twice into %c[0, %i] [10, 1] [1, 1]
        : tensor<10xf32> into tensor<10x5xf32>
    scf.yield %d : tensor<10x5xf32>
  }
  %both = arith.addf %columns, %other : tensor<10x5xf32>
  return %filled, %last, %both : tensor<5x10x6xf32>, tensor<10x6xf32>, tensor<10x5xf32>
}
