// A batch whose size only the launch knows passes through slices, pads, joins and insertions.
// RUN-CHECK: --grid 1,2,4,6,2x2,3x2 --seed 1 --shape 0=10x8 --shape 1=10x3
// RUN-CHECK: --grid 4 --seed 2 --shape 0=8x8 --shape 1=8x3
// RUN-CHECK: --grid 4 --seed 3 --shape 0=2x8 --shape 1=2x3
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<?x8xf32>, %y: tensor<?x3xf32>, %from: index {tessera.range = [0, 3]},
                %wide: index {tessera.range = [1, 5]})
    -> (tensor<?x3xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x11xf32>, tensor<?x8xf32>,
        tensor<?xf32>, index, index, tensor<?x4xf32>) {
  %rows = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %n = tensor.dim %x_in, %c0 : tensor<?x8xf32>
  %e = math.tanh %x : tensor<?x8xf32>
  %s = tensor.extract_slice %e[0, 2] [%n, 3] [1, 2] : tensor<?x8xf32> to tensor<?x3xf32>
  %w = tensor.extract_slice %x[0, %from] [%n, %wide] [1, 1] : tensor<?x8xf32> to tensor<?x?xf32>
  %v = math.absf %w : tensor<?x?xf32>
  %p = tensor.pad %v low[0, %from] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %half : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %j = tensor.concat dim(1) %x, %y : (tensor<?x8xf32>, tensor<?x3xf32>) -> tensor<?x11xf32>
  %m = tensor.dim %j, %c0 : tensor<?x11xf32>
  %k = tensor.dim %p, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m) : tensor<?x8xf32>
  %fill = linalg.fill ins(%half : f32) outs(%empty : tensor<?x8xf32>) -> tensor<?x8xf32>
  %into = tensor.insert_slice %s into %fill[0, %from] [%n, 3] [1, 1]
      : tensor<?x3xf32> into tensor<?x8xf32>
  %column = tensor.extract_slice %into[0, 3] [%n, 1] [1, 1] : tensor<?x8xf32> to tensor<?xf32>
  %doubled = arith.addf %column, %column : tensor<?xf32>
  %less = arith.minsi %n, %wide : index
  %some = tensor.extract_slice %x[0, 4] [%less, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  return %s, %v, %p, %j, %into, %doubled, %m, %k, %some
      : tensor<?x3xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x11xf32>, tensor<?x8xf32>,
        tensor<?xf32>, index, index, tensor<?x4xf32>
}
