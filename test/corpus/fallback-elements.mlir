// Elements are extracted, inserted, generated and put together, on split tensors.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x8xf32>, %at: index {tessera.range = [0, 8]})
    -> (f32, tensor<10x8xf32>, tensor<10x8xf32>, tensor<2xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %v = tensor.extract %x[%at, %at] : tensor<10x8xf32>
  %y = tensor.insert %v into %x[%at, %at] : tensor<10x8xf32>
  %g = tensor.generate {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %i, %j : index
    %n = arith.index_cast %k : index to i32
    %f = arith.sitofp %n : i32 to f32
    tensor.yield %f : f32
  } : tensor<10x8xf32>
  %z = arith.addf %g, %y : tensor<10x8xf32>
  %pair = tensor.from_elements %v, %v : tensor<2xf32>
  return %v, %y, %z, %pair : f32, tensor<10x8xf32>, tensor<10x8xf32>, tensor<2xf32>
}
