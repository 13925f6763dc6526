// Slices of fewer dimensions with strides, where a piece has size 1 beside the dimension that goes.
// RUN-CHECK: --grid 1,2,4,7,8 --seed 1
shard.grid @g(shape = 7)
func.func @main(%x_in: tensor<5x7x4xi32>, %y: tensor<2x7xi32>) -> (tensor<5x7x4xi32>, tensor<2x7xi32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<5x7x4xi32>
  %i = tensor.insert_slice %y into %x[1, 0, 3] [2, 7, 1] [2, 1, 1]
      : tensor<2x7xi32> into tensor<5x7x4xi32>
  %e = tensor.extract_slice %x[0, 0, 2] [2, 7, 1] [3, 1, 1] : tensor<5x7x4xi32> to tensor<2x7xi32>
  %n = math.absi %e : tensor<2x7xi32>
  return %i, %n : tensor<5x7x4xi32>, tensor<2x7xi32>
}
