// Updates of rows at places that data says, the batch, the rows or the channels split, and of a tensor of constants.
// RUN-CHECK: --range 1=0:1 --grid 1,2,3,4,8 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<6x9x4xf32>, %offset: tensor<6x3xi32>, %u: tensor<6x3x4xf32>, %r_in: tensor<6x9x4xf32>,
                %c_in: tensor<6x9x4xf32>) -> (tensor<6x9x4xf32>, tensor<6x9x4xf32>, tensor<6x9x4xf32>, tensor<6x9x4xi8>) {
  %batch = shard.sharding @g split_axes = [[0], [], []] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[], [0], []] : !shard.sharding
  %channels = shard.sharding @g split_axes = [[], [], [0]] : !shard.sharding
  %x = shard.shard %x_in to %batch : tensor<6x9x4xf32>
  %r = shard.shard %r_in to %rows : tensor<6x9x4xf32>
  %c = shard.shard %c_in to %channels : tensor<6x9x4xf32>
  %first = arith.constant dense<[[0, 4, 8], [7, 2, 5], [1, 0, 3], [8, 7, 6], [4, 3, 5], [2, 8, 1]]> : tensor<6x3xi32>
  %places = tosa.add %first, %offset : (tensor<6x3xi32>, tensor<6x3xi32>) -> tensor<6x3xi32>
  %a = tosa.scatter %x, %places, %u : (tensor<6x9x4xf32>, tensor<6x3xi32>, tensor<6x3x4xf32>) -> tensor<6x9x4xf32>
  %b = tosa.scatter %r, %places, %u : (tensor<6x9x4xf32>, tensor<6x3xi32>, tensor<6x3x4xf32>) -> tensor<6x9x4xf32>
  %d = tosa.scatter %c, %places, %u : (tensor<6x9x4xf32>, tensor<6x3xi32>, tensor<6x3x4xf32>) -> tensor<6x9x4xf32>
  %none = "tosa.const"() {values = dense<0> : tensor<6x9x4xi8>} : () -> tensor<6x9x4xi8>
  %ones = "tosa.const"() {values = dense<1> : tensor<6x3x4xi8>} : () -> tensor<6x3x4xi8>
  %e = tosa.scatter %none, %places, %ones : (tensor<6x9x4xi8>, tensor<6x3xi32>, tensor<6x3x4xi8>) -> tensor<6x9x4xi8>
  return %a, %b, %d, %e : tensor<6x9x4xf32>, tensor<6x9x4xf32>, tensor<6x9x4xf32>, tensor<6x9x4xi8>
}
