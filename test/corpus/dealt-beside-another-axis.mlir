// A loop whose trips are dealt out along one axis, with products inside that are split along the other: messages
// inside of the body pass among devices of one trip, however many trips each has. The sum behind it is split again.
// RUN-CHECK: --grid 1x2,2x1,2x2,3x2,4x2 --seed 6
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<7x3x8xf32>, %w1_in: tensor<8x6xf32>, %w2_in: tensor<6x8xf32>, %g0: tensor<8x6xf32>)
    -> (tensor<7x3x8xf32>, tensor<8x6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %inner = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %both = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<7x3x8xf32>
  %w1 = shard.shard %w1_in to %columns : tensor<8x6xf32>
  %w2 = shard.shard %w2_in to %inner : tensor<6x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x3x8xf32>
  %e0 = tensor.empty() : tensor<3x6xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<3x6xf32>) -> tensor<3x6xf32>
  %e1 = tensor.empty() : tensor<3x8xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<3x8xf32>) -> tensor<3x8xf32>
  %r:2 = scf.for %i = %c0 to %c7 step %c1 iter_args(%acc = %e, %g = %g0) -> (tensor<7x3x8xf32>, tensor<8x6xf32>) {
    %b = tensor.extract_slice %x[%i, 0, 0] [1, 3, 8] [1, 1, 1] : tensor<7x3x8xf32> to tensor<3x8xf32>
    %h = linalg.matmul ins(%b, %w1 : tensor<3x8xf32>, tensor<8x6xf32>) outs(%z0 : tensor<3x6xf32>) -> tensor<3x6xf32>
    %t = math.tanh %h : tensor<3x6xf32>
    %y = linalg.matmul ins(%t, %w2 : tensor<3x6xf32>, tensor<6x8xf32>) outs(%z1 : tensor<3x8xf32>) -> tensor<3x8xf32>
    %u = math.tanh %y : tensor<3x8xf32>
    %next = tensor.insert_slice %u into %acc[%i, 0, 0] [1, 3, 8] [1, 1, 1] : tensor<3x8xf32> into tensor<7x3x8xf32>
    %ue = tensor.empty() : tensor<8x3xf32>
    %ut = linalg.transpose ins(%u : tensor<3x8xf32>) outs(%ue : tensor<8x3xf32>) permutation = [1, 0]
    %g1 = linalg.matmul ins(%ut, %t : tensor<8x3xf32>, tensor<3x6xf32>) outs(%g : tensor<8x6xf32>) -> tensor<8x6xf32>
    scf.yield %next, %g1 : tensor<7x3x8xf32>, tensor<8x6xf32>
  }
  %s = shard.shard %r#0 to %rows : tensor<7x3x8xf32>
  %d = shard.shard %r#1 to %both : tensor<8x6xf32>
  return %s, %d : tensor<7x3x8xf32>, tensor<8x6xf32>
}
