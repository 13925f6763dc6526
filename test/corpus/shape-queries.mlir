// tensor.dim and tensor.rank of a split tensor give the global size.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<10x7xf32>, %k: index {tessera.range = [0, 2]})
    -> (tensor<10x7xf32>, index, index, index) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x7xf32>
  %zero = arith.constant 0 : index
  %m = tensor.dim %x, %zero : tensor<10x7xf32>
  %n = tensor.dim %x, %k : tensor<10x7xf32>
  %r = tensor.rank %x : tensor<10x7xf32>
  %i = arith.index_cast %m : index to i32
  %f = arith.sitofp %i : i32 to f32
  %splat = tensor.splat %f : tensor<10x7xf32>
  %y = arith.divf %x, %splat : tensor<10x7xf32>
  return %y, %m, %n, %r : tensor<10x7xf32>, index, index, index
}
