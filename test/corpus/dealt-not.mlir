// Loops over the rows of a split tensor in which a trip does depend on others: on what another built, on the sum so
// far, on how often that was halved, on which of two results is which. Each device runs all of their trips.
// RUN-CHECK: --grid 1,2,3,4 --seed 7
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<6x4xf32>, %s0: tensor<1x4xf32>)
    -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<6x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %half = arith.constant dense<0.5> : tensor<1x4xf32>
  %reversed = scf.for %i = %c0 to %c6 step %c1 iter_args(%acc = %x) -> (tensor<6x4xf32>) {
    %j = arith.subi %c5, %i : index
    %a = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<6x4xf32> to tensor<1x4xf32>
    %b = tensor.extract_slice %acc[%j, 0] [1, 4] [1, 1] : tensor<6x4xf32> to tensor<1x4xf32>
    %c = arith.addf %a, %b : tensor<1x4xf32>
    %next = tensor.insert_slice %c into %acc[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<6x4xf32>
    scf.yield %next : tensor<6x4xf32>
  }
  %running:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%acc = %x, %s = %s0) -> (tensor<6x4xf32>, tensor<1x4xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<6x4xf32> to tensor<1x4xf32>
    %t = arith.addf %s, %a : tensor<1x4xf32>
    %next = tensor.insert_slice %t into %acc[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<6x4xf32>
    scf.yield %next, %t : tensor<6x4xf32>, tensor<1x4xf32>
  }
  %halved = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %s0) -> (tensor<1x4xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<6x4xf32> to tensor<1x4xf32>
    %h = arith.mulf %s, %half : tensor<1x4xf32>
    %t = arith.addf %h, %a : tensor<1x4xf32>
    scf.yield %t : tensor<1x4xf32>
  }
  %swapped:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%u = %x, %v = %x) -> (tensor<6x4xf32>, tensor<6x4xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<6x4xf32> to tensor<1x4xf32>
    %b = arith.mulf %a, %a : tensor<1x4xf32>
    %next = tensor.insert_slice %b into %u[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<6x4xf32>
    scf.yield %v, %next : tensor<6x4xf32>, tensor<6x4xf32>
  }
  return %reversed, %running#0, %running#1, %halved, %swapped#0, %swapped#1
      : tensor<6x4xf32>, tensor<6x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}
