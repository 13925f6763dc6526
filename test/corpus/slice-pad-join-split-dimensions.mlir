// Pads, slices, insertions and concatenations of the dimension that is split: it is brought whole.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x8xf32>)
    -> (tensor<13x9xf32>, tensor<4x4xf32>, tensor<10x8xf32>, tensor<20x8xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[1, 0] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<10x8xf32> to tensor<13x9xf32>
  %s = tensor.extract_slice %x[3, 1] [4, 4] [1, 2] : tensor<10x8xf32> to tensor<4x4xf32>
  %t = math.tanh %s : tensor<4x4xf32>
  %n = tensor.insert_slice %t into %x[5, 2] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<10x8xf32>
  %c = tensor.concat dim(0) %x, %n : (tensor<10x8xf32>, tensor<10x8xf32>) -> tensor<20x8xf32>
  return %p, %t, %n, %c : tensor<13x9xf32>, tensor<4x4xf32>, tensor<10x8xf32>, tensor<20x8xf32>
}
