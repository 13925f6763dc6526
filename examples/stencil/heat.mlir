// Heat that spreads over a square plate whose rim is kept at zero: the program of one device, with
// explicit communication. A device has 512x512 points of the plate and a halo of one point around
// them, which update_halo takes from the four neighbours. Beyond the rim there is no neighbour: the
// halo stays zero there.
shard.grid @grid(shape = 2x2)

#ij = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>

// The temperatures after some steps of time, and what heat is left on the plate. `tessera.layout`
// tells tools how to cut the whole plate into pieces with halos, and how to join them.
func.func @heat(
    %start: tensor<514x514xf32> {tessera.layout = {
        grid = @grid, global = tensor<1024x1024xf32>,
        factors = [[[1024, [0]]], [[1024, [1]]]], halo = array<i64: 1, 1, 1, 1>}},
    %steps: index)
    -> (tensor<514x514xf32> {tessera.layout = {
            grid = @grid, global = tensor<1024x1024xf32>,
            factors = [[[1024, [0]]], [[1024, [1]]]], halo = array<i64: 1, 1, 1, 1>}},
        tensor<f64>) {
  %first = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = scf.for %step = %first to %steps step %one iter_args(%plate = %start)
      -> (tensor<514x514xf32>) {
    %u = shard.update_halo %plate on @grid split_axes = [[0], [1]] halo_sizes = [1, 1, 1, 1]
        : tensor<514x514xf32>
    %centre = tensor.extract_slice %u[1, 1] [512, 512] [1, 1]
        : tensor<514x514xf32> to tensor<512x512xf32>
    %north = tensor.extract_slice %u[0, 1] [512, 512] [1, 1]
        : tensor<514x514xf32> to tensor<512x512xf32>
    %south = tensor.extract_slice %u[2, 1] [512, 512] [1, 1]
        : tensor<514x514xf32> to tensor<512x512xf32>
    %west = tensor.extract_slice %u[1, 0] [512, 512] [1, 1]
        : tensor<514x514xf32> to tensor<512x512xf32>
    %east = tensor.extract_slice %u[1, 2] [512, 512] [1, 1]
        : tensor<514x514xf32> to tensor<512x512xf32>
    %empty = tensor.empty() : tensor<512x512xf32>
    %next = linalg.generic {indexing_maps = [#ij, #ij, #ij, #ij, #ij, #ij],
                            iterator_types = ["parallel", "parallel"]}
        ins(%centre, %north, %south, %west, %east : tensor<512x512xf32>, tensor<512x512xf32>,
            tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>)
        outs(%empty : tensor<512x512xf32>) {
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
    } -> tensor<512x512xf32>
    %result = tensor.insert_slice %next into %u[1, 1] [512, 512] [1, 1]
        : tensor<512x512xf32> into tensor<514x514xf32>
    scf.yield %result : tensor<514x514xf32>
  }
  %own = tensor.extract_slice %end[1, 1] [512, 512] [1, 1]
      : tensor<514x514xf32> to tensor<512x512xf32>
  %zero = arith.constant dense<0.0> : tensor<f64>
  %here = linalg.generic {indexing_maps = [#ij, #none], iterator_types = ["reduction", "reduction"]}
      ins(%own : tensor<512x512xf32>) outs(%zero : tensor<f64>) {
  ^bb0(%t: f32, %sum: f64):
    %wide = arith.extf %t : f32 to f64
    %more = arith.addf %sum, %wide : f64
    linalg.yield %more : f64
  } -> tensor<f64>
  %heat = shard.all_reduce %here on @grid grid_axes = [0, 1] : tensor<f64> -> tensor<f64>
  return %end, %heat : tensor<514x514xf32>, tensor<f64>
}
