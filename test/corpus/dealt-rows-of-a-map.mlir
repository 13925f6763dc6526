// A loop over the rows of a split tensor, each by itself: each device runs the trips of its rows, and nothing moves.
// RUN-CHECK: --grid 1,2,3,4,6,12 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x8xf32>, %w: tensor<8x6xf32>) -> tensor<10x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x6xf32>
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%acc = %e) -> (tensor<10x6xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<10x8xf32> to tensor<1x8xf32>
    %f = tensor.empty() : tensor<1x6xf32>
    %z = linalg.fill ins(%zero : f32) outs(%f : tensor<1x6xf32>) -> tensor<1x6xf32>
    %m = linalg.matmul ins(%row, %w : tensor<1x8xf32>, tensor<8x6xf32>) outs(%z : tensor<1x6xf32>) -> tensor<1x6xf32>
    %t = math.tanh %m : tensor<1x6xf32>
    %next = tensor.insert_slice %t into %acc[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<10x6xf32>
    scf.yield %next : tensor<10x6xf32>
  }
  %s = shard.shard %r to %rows : tensor<10x6xf32>
  return %s : tensor<10x6xf32>
}
