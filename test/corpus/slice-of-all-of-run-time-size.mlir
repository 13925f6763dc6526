// All of a split dimension of run-time size, beside some of another one at a place of the run.
// RUN-CHECK: --grid 2x2,1x3,4x1 --shape 0=8x9 --seed 1
// RUN-CHECK: --grid 2x2,3x1 --shape 0=9x9 --seed 2
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<?x9xf32>, %i: tensor<1xindex> {tessera.range = [0, 6]})
    -> (tensor<3xf32>, tensor<?x3xf32>, tensor<?x9xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x9xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x9xf32>
  %o = tensor.extract %i[%c0] : tensor<1xindex>
  %y = tensor.extract_slice %x[0, %o] [%n, 3] [1, 1] : tensor<?x9xf32> to tensor<?x3xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.reduce ins(%y : tensor<?x3xf32>) outs(%f : tensor<3xf32>) dimensions = [0]
      (%p: f32, %q: f32) {
    %1 = arith.addf %p, %q : f32
    linalg.yield %1 : f32
  }
  %b = arith.addf %y, %y : tensor<?x3xf32>
  %w = tensor.insert_slice %b into %x[0, %o] [%n, 3] [1, 1] : tensor<?x3xf32> into tensor<?x9xf32>
  return %r, %y, %w : tensor<3xf32>, tensor<?x3xf32>, tensor<?x9xf32>
}
