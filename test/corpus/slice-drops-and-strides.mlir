// Slices of fewer dimensions with strides, where the slice, or a piece of it, has sizes 1 beside those
// that go; in the unpartitioned program too, and of sizes that only the run knows.
// RUN-CHECK: --grid 1x1,1x2,1x7,1x4,1x6,1x8 --shape 4=3x9x6 --shape 5=1x4 --seed 1
// RUN-CHECK: --grid 2x2,2x3,4x2 --shape 4=5x8x6 --shape 5=1x3 --seed 2
shard.grid @g(shape = 1x7)
func.func @main(%x_in: tensor<5x7x4xi32>, %y: tensor<2x7xi32>, %q_in: tensor<3x1x7x8xf32>,
                %r: tensor<1x4xf32>, %u_in: tensor<?x?x6xf32>, %w: tensor<1x?xf32>,
                %at: index {tessera.range = [0, 3]})
    -> (tensor<5x7x4xi32>, tensor<2x7xi32>, tensor<7x1xf32>, tensor<1x4xf32>, tensor<1x1xf32>,
        tensor<3x1x7x8xf32>, tensor<1x?xf32>, tensor<?x1xf32>, tensor<?x?x6xf32>) {
  %s = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<5x7x4xi32>
  %i = tensor.insert_slice %y into %x[1, 0, 3] [2, 7, 1] [2, 1, 1]
      : tensor<2x7xi32> into tensor<5x7x4xi32>
  %e = tensor.extract_slice %x[0, 0, 2] [2, 7, 1] [3, 1, 1] : tensor<5x7x4xi32> to tensor<2x7xi32>
  %n = math.absi %e : tensor<2x7xi32>

  %third = shard.sharding @g split_axes = [[], [], [0, 1]] : !shard.sharding
  %q = shard.shard %q_in to %third : tensor<3x1x7x8xf32>
  %column = tensor.extract_slice %q[2, 0, 0, 3] [1, 1, 7, 1] [2, 1, 1, 3]
      : tensor<3x1x7x8xf32> to tensor<7x1xf32>
  %row = tensor.extract_slice %q[%at, 0, 2, 1] [1, 1, 1, 4] [1, 1, 3, 2]
      : tensor<3x1x7x8xf32> to tensor<1x4xf32>
  %one = tensor.extract_slice %q[%at, 0, 5, 7] [1, 1, 1, 1] [2, 2, 2, 2]
      : tensor<3x1x7x8xf32> to tensor<1x1xf32>
  %both = arith.addf %row, %r : tensor<1x4xf32>
  %into = tensor.insert_slice %both into %q[1, 0, 6, 0] [1, 1, 1, 4] [2, 2, 2, 2]
      : tensor<1x4xf32> into tensor<3x1x7x8xf32>

  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %second = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %u = shard.shard %u_in to %second : tensor<?x?x6xf32>
  %m = tensor.dim %u, %c1 : tensor<?x?x6xf32>
  %p = tensor.extract_slice %u[2, 0, 5] [1, %m, 1] [2, 1, 2] : tensor<?x?x6xf32> to tensor<1x?xf32>
  %d = tensor.dim %w, %c1 : tensor<1x?xf32>
  %t = tensor.extract_slice %u[1, 1, 0] [1, %d, 1] [3, 2, 3] : tensor<?x?x6xf32> to tensor<?x1xf32>
  %v = tensor.insert_slice %w into %u[%at, 1, 2] [1, %d, 1] [2, 2, 4]
      : tensor<1x?xf32> into tensor<?x?x6xf32>
  return %i, %n, %column, %both, %one, %into, %p, %t, %v
      : tensor<5x7x4xi32>, tensor<2x7xi32>, tensor<7x1xf32>, tensor<1x4xf32>, tensor<1x1xf32>,
        tensor<3x1x7x8xf32>, tensor<1x?xf32>, tensor<?x1xf32>, tensor<?x?x6xf32>
}
