// The same plate as a program for one device, with one annotation: the plate is split over both axes
// of the grid. Tessera inserts what communication there is.
shard.grid @grid(shape = 2x2)

#ij = affine_map<(i, j) -> (i, j)>

func.func @heat(%start: tensor<1024x1024xf32>, %steps: index {tessera.range = [1, 4]})
    -> tensor<1024x1024xf32> {
  %blocks = shard.sharding @grid split_axes = [[0], [1]] : !shard.sharding
  %whole = shard.shard %start to %blocks : tensor<1024x1024xf32>
  %first = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rim = arith.constant 0.0 : f32
  %end = scf.for %step = %first to %steps step %one iter_args(%plate = %whole)
      -> (tensor<1024x1024xf32>) {
    %u = tensor.pad %plate low[1, 1] high[1, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %rim : f32
    } : tensor<1024x1024xf32> to tensor<1026x1026xf32>
    %north = tensor.extract_slice %u[0, 1] [1024, 1024] [1, 1]
        : tensor<1026x1026xf32> to tensor<1024x1024xf32>
    %south = tensor.extract_slice %u[2, 1] [1024, 1024] [1, 1]
        : tensor<1026x1026xf32> to tensor<1024x1024xf32>
    %west = tensor.extract_slice %u[1, 0] [1024, 1024] [1, 1]
        : tensor<1026x1026xf32> to tensor<1024x1024xf32>
    %east = tensor.extract_slice %u[1, 2] [1024, 1024] [1, 1]
        : tensor<1026x1026xf32> to tensor<1024x1024xf32>
    %empty = tensor.empty() : tensor<1024x1024xf32>
    %next = linalg.generic {indexing_maps = [#ij, #ij, #ij, #ij, #ij, #ij],
                            iterator_types = ["parallel", "parallel"]}
        ins(%plate, %north, %south, %west, %east : tensor<1024x1024xf32>, tensor<1024x1024xf32>,
            tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>)
        outs(%empty : tensor<1024x1024xf32>) {
    ^bb0(%c: f32, %n: f32, %s: f32, %w: f32, %e: f32, %out: f32):
      %rate = arith.constant 0.2 : f32
      %four = arith.constant 4.0 : f32
      %0 = arith.addf %n, %s : f32
      %1 = arith.addf %w, %e : f32
      %2 = arith.addf %0, %1 : f32
      %3 = arith.mulf %c, %four : f32
      %4 = arith.subf %2, %3 : f32
      %5 = arith.mulf %4, %rate : f32
      %6 = arith.addf %c, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<1024x1024xf32>
    scf.yield %next : tensor<1024x1024xf32>
  }
  return %end : tensor<1024x1024xf32>
}
