// Each trip needs all rows and gives all of them: they are gathered once, before the loop. The slice of
// the weights that each trip gathers is the same, and gathered before it as well.
// RUN-CHECK: --grid 1x1,2x1,1x2,2x2,4x1 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<8x12xf32>, %w_in: tensor<8x12xf32>, %n: index {tessera.range = [0, 4]}) -> tensor<8x12xf32> {
  %rows = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x12xf32>
  %w = shard.shard %w_in to %rows : tensor<8x12xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8x12xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<8x12xf32>) {
    %s = linalg.softmax dimension(1) ins(%w : tensor<8x12xf32>) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
    %a = tensor.extract_slice %p[0, 1] [6, 10] [1, 1] : tensor<8x12xf32> to tensor<6x10xf32>
    %b = tensor.extract_slice %s[2, 1] [6, 10] [1, 1] : tensor<8x12xf32> to tensor<6x10xf32>
    %m = arith.addf %a, %b : tensor<6x10xf32>
    %t = tensor.insert_slice %m into %p[1, 1] [6, 10] [1, 1] : tensor<6x10xf32> into tensor<8x12xf32>
    scf.yield %t : tensor<8x12xf32>
  }
  return %r : tensor<8x12xf32>
}
